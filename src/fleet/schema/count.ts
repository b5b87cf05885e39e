/** The answer to `countOnly=1` (§4.9); the interface does not show it, the live service sends `{size, results: []}`. */

/** The count in `body`: `{size}`, `{count}` or a bare number, also as text; null where there is none. */
export function readCount(body: unknown): number | null {
  if (typeof body !== 'object' || body === null) return asCount(body);
  return asCount(Reflect.get(body, 'size')) ?? asCount(Reflect.get(body, 'count'));
}

function asCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}
