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
