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

/** Every path in `values`, combined. What a policy's configuration holds depends on its type, and is not looked at. */
export function shapesOf(values: readonly unknown[]): Shapes {
  const found = new Map<string, Set<Kind>>();
  const visit = (value: unknown, path: string): void => {
    if (path !== '') found.set(path, (found.get(path) ?? new Set()).add(kindOf(value)));
    if (path.endsWith('configuration')) return;
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(inner, path === '' ? key : `${path}.${key}`);
  };
  for (const value of values) visit(value, '');
  return found;
}

/** All of them together. */
export function mergeShapes(all: readonly Shapes[]): Shapes {
  const merged = new Map<string, Set<Kind>>();
  for (const shapes of all)
    for (const [path, kinds] of shapes) merged.set(path, new Set([...(merged.get(path) ?? []), ...kinds]));
  return merged;
}

/** What two shapes disagree about at one path. */
export type Difference = { readonly path: string; readonly what: string };

/**
 * Where `ours` differs: a key that one side lacks, another type, a null that one side never has. Nothing is said about
 * what only ever is null, empty, or below such a value.
 */
export function differences(ours: Shapes, theirs: Shapes): readonly Difference[] {
  const absent = [...theirs.keys()].filter((path) => !ours.has(path) && isAsked(path, ours));
  const added = [...ours.keys()].filter((path) => !theirs.has(path) && isAsked(path, theirs));
  return [
    ...absent.map((path) => ({ path, what: 'is missing' })),
    ...added.map((path) => ({ path, what: 'is added' })),
    ...[...theirs].flatMap(([path, kinds]) => {
      const own = ours.get(path);
      return own === undefined ? [] : differencesAt(path, own, kinds);
    }),
  ];
}

/** Whether the object or list that would hold the path is there: what is in it can be judged. */
function isAsked(path: string, shapes: Shapes): boolean {
  const holder = path.endsWith('[]') ? path.slice(0, -2) : path.replace(/\.?[^.]+$/, '');
  if (holder === '') return true;
  const kinds = shapes.get(holder);
  return path.endsWith('[]') ? false : (kinds?.has('object') ?? false);
}

function differencesAt(
  path: string,
  own: ReadonlySet<Kind>,
  kinds: ReadonlySet<Kind>,
): readonly Difference[] {
  const telling = (all: ReadonlySet<Kind>) => [...all].filter((kind) => kind !== 'null').sort();
  const [here, there] = [telling(own), telling(kinds)];
  if (here.length === 0 || there.length === 0) return [];
  const other = here.filter((kind) => !kinds.has(kind));
  return [
    ...(other.length > 0 ? [{ path, what: `is ${other.join(' or ')}, there ${there.join(' or ')}` }] : []),
    ...(own.has('null') && !kinds.has('null') ? [{ path, what: 'is null here only' }] : []),
    ...(!own.has('null') && kinds.has('null') ? [{ path, what: 'is null there only' }] : []),
  ];
}
