/** What is known of the shapes of the real service: recorded answers, published definitions, the interface document. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { answerIn, deviceFields, fieldsIn, type NamedType } from '../interface/document.ts';

type ShapeSource = { readonly endpoint: string; readonly source: string; readonly shapes: Shapes };

function fixture(file: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/management/${file}`, import.meta.url), 'utf8'));
}

/** The rows of a recorded list, or the only object. */
export function recorded(file: string): readonly Readonly<Record<string, unknown>>[] {
  const json = fixture(file);
  return (Array.isArray(json) ? json : [json]).map((row: unknown) => Object.assign({}, row));
}

const kind = z.enum(['null', 'boolean', 'number', 'string', 'list', 'object']);
const published = z.array(
  z.strictObject({
    endpoint: z.string(),
    source: z.string(),
    licence: z.enum(['MIT', 'CC-BY-4.0']),
    year: z.number(),
    keys: z.partialRecord(kind, z.string()),
  }),
);

function publishedShapes(): readonly ShapeSource[] {
  return published.parse(fixture('published-shapes.json')).map(({ endpoint, source, keys }) => {
    const shapes = new Map<string, Set<Kind>>();
    for (const [name, paths = ''] of Object.entries(keys))
      for (const path of paths.split(' '))
        shapes.set(path, (shapes.get(path) ?? new Set()).add(kind.parse(name)));
    return { endpoint, source, shapes };
  });
}

const RECORDED = [
  ['GET /servers', 'servers-list-2022.json'],
  ['GET /servergroups', 'servergroups-list-2022.json'],
  ['GET /servers/{id}/packages', 'packages-2026.json'],
  ['GET /servers/{id}/queues', 'queue-2026.json'],
] as const;

function recordedShapes(): readonly ShapeSource[] {
  const events = recorded('events-published.json').map(({ sample }) => sample);
  return [
    ...RECORDED.map(([endpoint, file]) => ({ endpoint, source: file, shapes: shapesOf(recorded(file)) })),
    { endpoint: 'GET /events', source: 'events-published.json', shapes: shapesOf(events) },
  ];
}

const DEVICE_FIELDS = deviceFields();
/** Accepted on create and not returned (§2.1). */
const NOT_RETURNED = ['enable_wsus', 'wsus_server'];
const GROUP_FIELDS = fieldsIn('2.1').filter(({ name }) => !NOT_RETURNED.includes(name));

const DOCUMENTED: readonly (readonly [string, readonly NamedType[]])[] = [
  ['GET /servers', DEVICE_FIELDS],
  ['GET /servers/{id}', DEVICE_FIELDS],
  ['GET /servers/{id}/packages', fieldsIn('2.6')],
  ['GET /servers/{id}/queues', fieldsIn('2.7')],
  ['GET /events', fieldsIn('2.8')],
  ['GET /servergroups', GROUP_FIELDS],
  ['GET /servergroups/{id}', GROUP_FIELDS],
  ['POST /servergroups', answerIn('4.1')],
  ['POST /policies/device-filters-preview', answerIn('4.2')],
];

/** The kinds of a type in the document's words; none where it does not say. */
function kindsOf({ type, nullable }: NamedType): readonly Kind[] {
  const word = { integer: 'number', array: 'list', strings: 'list', integers: 'list' }[type] ?? type;
  const known = kind.safeParse(word);
  return [...(known.success ? [known.data] : []), ...(nullable ? (['null'] as const) : [])];
}

function documentedShapes(): readonly ShapeSource[] {
  return DOCUMENTED.map(([endpoint, fields]) => ({
    endpoint,
    source: 'the interface document',
    shapes: new Map(
      fields.flatMap((field) => [
        [field.name, new Set(kindsOf(field))] as const,
        ...(/^(array|objects)/.test(field.type) && hasFields(fields, `${field.name}[].`)
          ? [[`${field.name}[]`, new Set<Kind>(['object'])] as const]
          : []),
      ]),
    ),
  }));
}

function hasFields(fields: readonly NamedType[], prefix: string): boolean {
  return fields.some(({ name }) => name.startsWith(prefix));
}

const SOURCES: readonly ShapeSource[] = [...recordedShapes(), ...publishedShapes(), ...documentedShapes()];

/** Endpoints that answer with the same resource as a list: what is known of its rows is known of them. */
const SAME_RESOURCE: Readonly<Record<string, string>> = {
  'GET /servers/{id}': 'GET /servers',
  'GET /servergroups/{id}': 'GET /servergroups',
  'POST /servergroups': 'GET /servergroups',
  'GET /policies/{id}': 'GET /policies',
};
/** Only lists leave details out. */
const ONLY_OF_LISTS = /without details$/;

export const ENDPOINTS: readonly string[] = [...new Set(SOURCES.map(({ endpoint }) => endpoint))];

/** Everything that is known of the rows of an endpoint. */
export function sourcesOf(endpoint: string): readonly ShapeSource[] {
  return SOURCES.filter(
    (one) =>
      one.endpoint === endpoint ||
      (one.endpoint === SAME_RESOURCE[endpoint] && !ONLY_OF_LISTS.test(one.source)),
  );
}

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

export function mergeShapes(all: readonly Shapes[]): Shapes {
  const merged = new Map<string, Set<Kind>>();
  for (const shapes of all)
    for (const [path, kinds] of shapes) merged.set(path, new Set([...(merged.get(path) ?? []), ...kinds]));
  return merged;
}

/** What two shapes disagree about at one path. */
type Difference = { readonly path: string; readonly what: string };

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
