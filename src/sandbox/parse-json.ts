/** Parses untrusted JSON. */

/** JSON nested much deeper cannot be serialized again; no real request comes near. */
const MAX_DEPTH = 500;

/** The parsed text, or undefined when it is no JSON or nested too deep. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return text.length > MAX_DEPTH && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
