/**
 * A client of the management service that keeps to the letter of the interface document and knows nothing else: its
 * endpoints, parameters, fields, types, forms and statuses are read from the document's text.
 */
import {
  answerIn,
  deviceFields,
  endpointIn,
  fieldsIn,
  formsIn,
  type NamedParameter,
  type NamedType,
  parametersIn,
  responseIn,
} from '../coverage/interface-document.ts';
import { isObject, type Json } from '../coverage/json-fields.ts';

export type Reply = { readonly status: number; readonly body: unknown };
export type Call = {
  readonly id?: number;
  /** Without `o`, the organization is added; null: left out. */
  readonly query?: Json;
  readonly body?: Json;
  /** Null: without the header. */
  readonly key?: string | null;
  /** Without the header of a body's type. */
  readonly untyped?: true;
};
export type Address = { readonly baseUrl: string; readonly apiKey: string; readonly organizationId: number };

/** The sections of the documented endpoints. */
export const SECTIONS = ['4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7', '4.8', '4.9'] as const;
export type Section = (typeof SECTIONS)[number];

export type Endpoint = {
  readonly section: Section;
  readonly title: string;
  readonly query: readonly NamedParameter[];
  readonly body: readonly NamedParameter[];
  readonly status: number;
  readonly answer: ReturnType<typeof responseIn>['answer'];
  readonly fields: readonly NamedType[];
  readonly forms: ReadonlyMap<string, string>;
};

const DEVICE = {
  fields: deviceFields(),
  forms: new Map([
    ...formsIn('2.2'),
    ...formsIn('2.3', 'detail.'),
    ...formsIn('2.4', 'policy_status[].'),
    // Not "the timestamp of a device": with a numeric offset.
    ['detail.LAST_USER_LOGON.TIME', 'YYYY-MM-DDThh:mm:ss+0000'],
  ]),
};
const groupFields = new Map(fieldsIn('2.1').map((field) => [field.name, field]));
const resource = (number: string) => ({ fields: fieldsIn(number), forms: formsIn(number) });

/** By section: what an object of the answer is. */
const ANSWERS: Readonly<Partial<Record<Section, Pick<Endpoint, 'fields' | 'forms'>>>> = {
  // The names stand in §4.1, their types in §2.1.
  '4.1': {
    fields: answerIn('4.1').flatMap(({ name }) => groupFields.get(name) ?? []),
    forms: formsIn('2.1'),
  },
  '4.2': { fields: answerIn('4.2'), forms: new Map() },
  '4.5': DEVICE,
  '4.6': DEVICE,
  '4.7': resource('2.6'),
  '4.8': resource('2.7'),
  '4.9': resource('2.8'),
};

export const ENDPOINTS: readonly Endpoint[] = SECTIONS.map((section) => ({
  section,
  title: endpointIn(section),
  query: parametersIn(section, 'Query'),
  body: ['4.1', '4.2', '4.3', '4.4'].includes(section) ? parametersIn(section, 'Body') : [],
  ...responseIn(section),
  ...(ANSWERS[section] ?? { fields: [], forms: new Map() }),
}));

export function endpointOf(section: Section): Endpoint {
  const found = ENDPOINTS.find((endpoint) => endpoint.section === section);
  if (found === undefined) throw new Error(`no section ${section}`);
  return found;
}

/** Sends what the document says a request has (§4, §5). */
export async function send(address: Address, title: string, call: Call = {}): Promise<Reply> {
  const [method = '', path = ''] = title.split(' ');
  const { id, query = {}, body, key = address.apiKey, untyped = false } = call;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries({ o: address.organizationId, ...query }))
    if (value !== null) search.set(name, String(value));
  const response = await fetch(`${address.baseUrl}${path.replace('{id}', String(id))}?${search}`, {
    method,
    headers: {
      connection: 'close',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined || untyped ? {} : { 'content-type': 'application/json' }),
    },
    // Bytes, because a text would bring a type of its own.
    ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** The objects of an answer; an answer of another build is a disagreement. */
export function objectsIn({ answer }: Pick<Endpoint, 'answer'>, body: unknown): readonly Json[] {
  const list = answer === 'page' && isObject(body) ? body['results'] : body;
  const objects: readonly unknown[] = Array.isArray(list) ? list : [list];
  return objects.filter(isObject);
}
