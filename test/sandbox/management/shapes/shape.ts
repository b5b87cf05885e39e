/** The shape of JSON: its keys and the type of each value. Ids and counts look alike. */

export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object';

/** By path, such as `detail.NICS[].MAC`: the types of values seen there. */
export type Shapes = ReadonlyMap<string, ReadonlySet<Kind>>;

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return 'string';
  return isEmpty(value) ? 'null' : 'object';
}

/** The service sends `{}` for nothing. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Every path in `values`, combined. */
export function shapesOf(values: readonly unknown[]): Shapes {
  const found = new Map<string, Set<Kind>>();
  const visit = (value: unknown, path: string): void => {
    const kind = kindOf(value);
    found.set(path, (found.get(path) ?? new Set()).add(kind));
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, path === '' ? key : `${path}.${key}`);
  };
  for (const value of values) visit(value, '');
  return found;
}

/**
 * Paths of `recorded` that `ours` lacks, or has with other types only. A null, an empty list or an empty object says
 * nothing about the type.
 */
export function missingFrom(ours: Shapes, recorded: Shapes): readonly string[] {
  return [...recorded].flatMap(([path, kinds]) => {
    const own = ours.get(path);
    if (own === undefined) return [`${path} is missing`];
    const telling = [...kinds].filter((kind) => kind !== 'null');
    const alike = [...own].some((kind) => kind === 'null' || kinds.has(kind));
    return telling.length === 0 || alike ? [] : [`${path} is ${[...own]}, recorded as ${telling}`];
  });
}
