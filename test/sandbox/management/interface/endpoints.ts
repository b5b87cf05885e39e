/** What each endpoint takes and answers, as data: of the documented ones from the document's text (§4.1 to §4.9). */
import {
  endpointIn,
  filterOperators,
  type NamedParameter,
  parametersIn,
  statusIn,
  wordsUnder,
} from './document.ts';
import * as shapes from './shapes.ts';

export type ProfileName = 'documented' | 'live';

export type ParameterSpec = {
  readonly type: string;
  readonly required?: boolean;
  /** Bounds of a number. */
  readonly least?: number;
  /** Where the live service accepts less. */
  readonly leastLive?: number;
  readonly most?: number;
  /** The default. */
  readonly otherwise?: number | 'organization of the key';
  /** Every named value, each a row of its own. */
  readonly values?: readonly string[];
  /** Values newer than the document: live only. */
  readonly newerValues?: readonly string[];
  /** From samples or from practice, not in the document's list of parameters. */
  readonly source?: 'sample' | 'in practice';
  /** Where only one profile has it. */
  readonly only?: ProfileName;
};
export type ParameterSpecs = Readonly<Record<string, ParameterSpec>>;

export type EndpointSpec = {
  readonly method: string;
  readonly path: string;
  /** Section of the interface document. */
  readonly section: string;
  /** Named in the document without a shape; the shape comes from observed behavior. */
  readonly source?: 'in practice';
  readonly only?: ProfileName;
  readonly query: ParameterSpecs;
  readonly body?: ParameterSpecs;
  readonly headers: readonly string[];
  readonly statuses: readonly number[];
  /** `newer`: live only; `older`: called differently there. */
  readonly answer?: Readonly<
    Record<'shape', shapes.FieldTypes> & Partial<Record<'older' | 'newer', shapes.FieldTypes>>
  >;
};

/** §4.3; `{policy_id}` stands for a policy's number. */
export const LISTED_COMMAND_TYPES = wordsUnder('command_type_name | Effect');
/** §6 */
export const LISTED_EVENT_NAMES = wordsUnder('Event name | Meaning');
/** §2.9 */
export const LISTED_FILTER_OPERATORS = Object.fromEntries(filterOperators());
/** From practice; the live service spells `not in` as `not_in`. */
const LIVE_FILTER_OPERATORS = {
  organizational_unit: ['like_any', 'not_like_any'],
  serial_number: ['like_any', 'not_like_any'],
};

/** A field with one of its operators. */
function clauses(operators: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return Object.entries(operators).flatMap(([field, ops]) => ops.map((op) => `${field} ${op}`));
}

const integer = { type: 'integer' };
const text = { type: 'string' };
const required = { type: 'integer', required: true };
const requiredText = { type: 'string', required: true };
const sampled = { source: 'sample' } as const;
const liveSwitch = { type: 'boolean', source: 'in practice', only: 'live' } as const;
const ofTheKey = { otherwise: 'organization of the key' } as const;
const REFRESH = { refresh_interval: { leastLive: 240 } };

type Known = Readonly<Record<string, Partial<ParameterSpec>>>;
type Documented = {
  readonly query?: Known;
  readonly body?: Known;
  readonly header?: string;
  readonly answer?: NonNullable<EndpointSpec['answer']>;
};

/** By section: what its list of parameters does not say, and the fields of its answer. */
const SECTIONS: Readonly<Record<string, Documented>> = {
  '4.1': { body: REFRESH, answer: { shape: shapes.CREATED_GROUP_SHAPE } },
  '4.2': {
    body: {
      device_filters: {
        values: clauses(LISTED_FILTER_OPERATORS),
        newerValues: clauses(LIVE_FILTER_OPERATORS),
      },
    },
    answer: {
      shape: shapes.PREVIEW_SHAPE,
      older: shapes.PREVIEW_DOCUMENTED_FIELDS,
      newer: shapes.PREVIEW_LIVE_FIELDS,
    },
  },
  '4.3': {
    body: { command_type_name: { values: LISTED_COMMAND_TYPES }, exec_time: { ...text, ...sampled } },
  },
  '4.4': { body: { server_group_id: { ...integer, ...sampled } }, header: 'Content-Type' },
  '4.5': {
    query: {
      o: ofTheKey,
      patchStatus: { values: ['missing'] },
      needsAttention: { type: 'boolean', ...sampled },
      include_details: liveSwitch,
      include_server_events: liveSwitch,
      include_next_patch_time: liveSwitch,
      exclude_policy_status: liveSwitch,
    },
    answer: { shape: shapes.DEVICE_SHAPE, newer: shapes.DEVICE_LIVE_FIELDS },
  },
  '4.6': { answer: { shape: shapes.DEVICE_SHAPE, newer: shapes.DEVICE_LIVE_FIELDS } },
  '4.7': { answer: { shape: shapes.PACKAGE_SHAPE, newer: shapes.PACKAGE_LIVE_FIELDS } },
  '4.8': { answer: { shape: shapes.QUEUE_ENTRY_SHAPE } },
  '4.9': {
    query: { o: ofTheKey, eventName: { values: LISTED_EVENT_NAMES } },
    answer: { shape: shapes.EVENT_SHAPE },
  },
};

function specsOf(listed: readonly NamedParameter[], known: Known = {}): ParameterSpecs {
  const rules = new Map(listed.map(({ name, ...rest }) => [name, rest]));
  const names = new Set([...rules.keys(), ...Object.keys(known)]);
  return Object.fromEntries(
    [...names].map((name) => [name, { type: 'string', ...rules.get(name), ...known[name] }]),
  );
}

export const DOCUMENTED_ENDPOINTS: readonly EndpointSpec[] = Object.entries(SECTIONS).map(
  ([section, { query, body, header, answer }]) => {
    const [method = '', path = ''] = endpointIn(section).split(' ');
    return {
      ...{ method, path, section },
      query: specsOf(parametersIn(section, 'Query'), query),
      ...(method === 'GET' ? {} : { body: specsOf(parametersIn(section, 'Body'), body) }),
      headers: ['Authorization', ...(header === undefined ? [] : [header])],
      statuses: [statusIn(section), 400, 401, 403, ...(path.includes('{id}') ? [404] : [])],
      ...(answer === undefined ? {} : { answer }),
    };
  },
);

/** A replacement takes the same fields as a create, and replaces the whole group. */
const GROUP = specsOf(parametersIn('4.1', 'Body'), REFRESH);

/** The fields of a policy; `configuration` depends on its type. */
const POLICY: ParameterSpecs = {
  name: requiredText,
  policy_type_name: requiredText,
  configuration: { type: 'object', required: true },
  schedule_days: required,
  schedule_weeks_of_month: integer,
  schedule_months: integer,
  schedule_time: requiredText,
  use_scheduled_timezone: { type: 'boolean', only: 'live' },
  scheduled_timezone: { ...text, only: 'live' },
  notes: text,
  server_groups: { type: 'integers' },
  organization_id: required,
};

const o = { o: required };
const paging: ParameterSpecs = {
  limit: { type: 'integer', least: 1, most: 500, otherwise: 500 },
  page: { type: 'integer', least: 0, otherwise: 0 },
};
const common = { section: '4.10', source: 'in practice', headers: ['Authorization'] } as const;
const groups = {
  shape: { ...shapes.GROUP_SHAPE, ...shapes.GROUP_LIVE_FIELDS },
  newer: shapes.GROUP_NEWER_FIELDS,
};
const policies = { shape: shapes.POLICY_SHAPE, newer: shapes.POLICY_LIVE_FIELDS };

function practice(
  title: string,
  statuses: readonly number[],
  rest: Partial<Pick<EndpointSpec, 'query' | 'body' | 'answer' | 'only'>>,
): EndpointSpec {
  const [method = '', path = ''] = title.split(' ');
  return { ...common, method, path, statuses, query: o, ...rest };
}

/** Those that the document names without a shape (§4.10), and newer ones that the product calls: as observed live. */
const UNDOCUMENTED_ENDPOINTS: readonly EndpointSpec[] = [
  practice('GET /servers/{id}/queues/{entry}', [200, 400, 401, 403, 404], {
    answer: { shape: shapes.QUEUE_ENTRY_SHAPE },
  }),
  practice('GET /servergroups', [200, 400, 401, 403], { query: { ...o, ...paging }, answer: groups }),
  // 403, not 404, for a group that does not exist.
  practice('GET /servergroups/{id}', [200, 400, 401, 403], { answer: groups }),
  practice('PUT /servergroups/{id}', [204, 400, 401, 403], { body: GROUP }),
  practice('DELETE /servergroups/{id}', [204, 400, 401, 403], {}),
  practice('DELETE /servers/{id}', [204, 400, 401, 403, 404], {}),
  practice('GET /policies', [200, 400, 401, 403], { query: { ...o, ...paging }, answer: policies }),
  practice('GET /policies/{id}', [200, 400, 401, 403, 404], { answer: policies }),
  // The body is empty: the new policy is found by its name.
  practice('POST /policies', [201, 400, 401, 403], { body: POLICY }),
  practice('PUT /policies/{id}', [204, 400, 401, 403, 404], { body: { id: required, ...POLICY } }),
  practice('POST /policies/{id}/action', [201, 400, 401, 403, 404], {
    only: 'live',
    body: { action: { ...requiredText, values: ['remediateAll', 'remediateServer'] }, serverId: integer },
  }),
  practice('GET /orgs', [200, 400, 401], { query: paging, answer: { shape: shapes.ORGANIZATION_SHAPE } }),
  practice('GET /orgs/{id}/packages', [200, 400, 401, 403], {
    only: 'live',
    query: { ...o, awaiting: integer, includeUnmanaged: integer, ...paging },
    answer: { shape: shapes.PACKAGE_SHAPE, newer: shapes.PACKAGE_LIVE_FIELDS },
  }),
  practice('POST /servers/batch', [200, 400, 401, 403], {
    only: 'live',
    body: { devices: { type: 'integers', required: true }, actions: { type: 'array', required: true } },
    answer: { shape: shapes.BATCH_SHAPE },
  }),
];

export const ENDPOINTS: readonly EndpointSpec[] = [...DOCUMENTED_ENDPOINTS, ...UNDOCUMENTED_ENDPOINTS];

/** `GET /servers/{id}` */
export function endpointTitle({ method, path }: Pick<EndpointSpec, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
