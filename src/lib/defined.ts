/** Objects of which only known fields are kept. */

export type Defined<T> = { [K in keyof T]?: T[K] & (NonNullable<unknown> | null) };

/** The object without fields that are undefined: such a field is absent, and says that nothing is known or asked. */
export function defined<T extends object>(fields: T): Defined<T> {
  return definedExcept(fields, new Set());
}

/** The same without the fields of these names. */
export function definedExcept<T extends object>(fields: T, except: ReadonlySet<string>): Defined<T> {
  const known: Defined<T> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined && !except.has(key)) known[key] = value;
  }
  return known;
}
