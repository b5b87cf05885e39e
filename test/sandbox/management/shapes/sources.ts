/** What is known of the shapes of the real service: recorded answers, published definitions, the interface document. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { answerIn, deviceFields, fieldsIn, type NamedType } from '../interface/document.ts';
import { type Kind, type Shapes, shapesOf } from './shape.ts';

export type ShapeSource = { readonly endpoint: string; readonly source: string; readonly shapes: Shapes };

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
