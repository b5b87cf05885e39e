/** Reading JSON whose shape nobody has promised. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` when it is an object, an empty object otherwise. */
export function asJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects in `value` when it is a list, nothing otherwise. */
export function asList(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** `value` when it is a string, an empty string otherwise. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
