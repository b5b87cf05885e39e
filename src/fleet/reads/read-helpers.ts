import { FleetFailure } from '../fleet.ts';

/** The result of `read`, or null when the service does not know the thing; every other FleetFailure is thrown on. */
export async function nullIfMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure && error.error.kind === 'missing') return null;
    throw error;
  }
}

/**
 * All rows of all pages. The client limits how many pages there can be. Throws {@link FleetFailure}, also where the service
 * says that there are more rows: a part must not pass for the whole.
 */
export async function collectRows<Row>(
  pages: AsyncIterable<{ readonly rows: readonly Row[]; readonly shortfall?: number }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const { rows: more, shortfall = 0 } of pages) {
    rows.push(...more);
    if (shortfall > 0) throw incompleteList(`${shortfall} rows are missing in the list`);
  }
  return rows;
}

export function incompleteList(detail: string): FleetFailure {
  return new FleetFailure({ kind: 'unreadable', method: 'GET', path: 'list', status: 200, detail });
}
