/** Reads JSON of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` if it is an object, otherwise an empty object. */
export function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects in `value` if it is a list, otherwise none. */
export function asList(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** `value` if it is a string, otherwise an empty string. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
