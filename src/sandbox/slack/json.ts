/** Reading JSON whose shape nobody has promised. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` when it is an object, an empty object otherwise. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The objects in `value` when it is a list, nothing otherwise. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** `value` when it is a string, an empty string otherwise. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** JSON much deeper than this cannot be written down again; nothing that Slack documents comes near. */
const DEEPEST = 500;

/** The parsed text, or undefined when it is no JSON or nested beyond all sense. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return text.length > DEEPEST && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
