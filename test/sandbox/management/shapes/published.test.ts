/**
 * The local service in its live profile and the product's client, endpoint by endpoint and key by key, against what is
 * recorded and published of the real service; and values, errors and headers against recorded ones.
 */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { deviceReader, previewReader } from '../../../../src/fleet/schema/device.ts';
import { eventReader } from '../../../../src/fleet/schema/event.ts';
import { groupReader } from '../../../../src/fleet/schema/group.ts';
import { packageReader } from '../../../../src/fleet/schema/package.ts';
import { organizationReader, policyReader } from '../../../../src/fleet/schema/policy.ts';
import { queueEntryReader } from '../../../../src/fleet/schema/queue-entry.ts';
import type { RowReader } from '../../../../src/fleet/schema/rows.ts';
import { DAY, MINUTE } from '../../../../src/lib/clock.ts';
import { deviceId, organizationId } from '../../../../src/lib/ids.ts';
import { put } from '../../../fleet/schema/rows-of.ts';
import { useStarted } from '../../../harness/use-started.ts';
import { DEVICE_ID, requestFor } from '../coverage/sample-requests.ts';
import {
  type CoverageReply,
  type CoverageRequest,
  type CoverageStage,
  itemsOf,
  startCoverageStage,
} from '../coverage/stage.ts';
import { KNOWN_DISAGREEMENTS, LEFT_OUT, whyLeftOut } from './known-disagreements.ts';
import {
  differences,
  ENDPOINTS,
  type Kind,
  mergeShapes,
  recorded,
  type Shapes,
  shapesOf,
  sourcesOf,
} from './sources.ts';

const ID = 17;
const ORGANIZATION = organizationId(ID);
const DEVICE = deviceId(ID);
const device = deviceReader({ organizationId: ORGANIZATION });
const group = groupReader(ORGANIZATION);
const policy = policyReader(ORGANIZATION);

/** By endpoint. The client sends a created group's answer through the reader of groups, and reads no batch job. */
const CLIENT_READERS: Readonly<Record<string, RowReader<object>>> = {
  'GET /servers': device,
  'GET /servers/{id}': device,
  'GET /servers/{id}/packages': packageReader(ORGANIZATION, DEVICE),
  'GET /servers/{id}/queues': queueEntryReader(ORGANIZATION, DEVICE),
  'GET /events': eventReader({ organizationId: ORGANIZATION }),
  'GET /servergroups': group,
  'GET /servergroups/{id}': group,
  'POST /policies/device-filters-preview': previewReader(),
  'GET /policies': policy,
  'GET /policies/{id}': policy,
  'GET /orgs': organizationReader(),
};

const stage = useStarted(() => startCoverageStage('live'));
let answers: OurAnswers = {};
beforeAll(async () => {
  answers = await ourAnswers(stage);
});

const THEIRS: ReadonlyMap<string, Shapes> = new Map(
  ENDPOINTS.map((endpoint) => [endpoint, mergeShapes(sourcesOf(endpoint).map(({ shapes }) => shapes))]),
);
const theirShapes = (endpoint: string): Shapes => THEIRS.get(endpoint) ?? new Map();

function knownOf(endpoint: string): readonly string[] {
  return KNOWN_DISAGREEMENTS.filter(({ endpoints }) => endpoints.includes(endpoint)).flatMap(
    ({ paths, what }) => paths.map((path) => `${path} ${what}`),
  );
}

describe.each(ENDPOINTS)('%s of the local service', (endpoint) => {
  it('has the keys, types and nulls that are known, or says who says otherwise', () => {
    const ours = shapesOf(answers[endpoint] ?? []);
    expect(ours.size).toBeGreaterThan(8);
    const found = differences(ours, theirShapes(endpoint)).map(({ path, what }) => `${path} ${what}`);
    expect(found.sort()).toEqual([...knownOf(endpoint)].sort());
  });
});

const READ_THOUGH_UNKNOWN: Readonly<Record<string, readonly string[]>> = {
  // Lists leave policies out; those of a single device have an id (ServerWithPolicies of openapi-defs).
  'GET /servers': ['server_policies[].id'],
  // A device that is marked as deleted is none, wherever it is listed.
  'POST /policies/device-filters-preview': ['deleted'],
};

describe.each(Object.entries(CLIENT_READERS))('%s in the client', (endpoint, read) => {
  const theirs = theirShapes(endpoint);

  it('every key is understood in each of its types, or left out for a reason', () => {
    const silent = [...theirs.keys()].filter((path) => notUnderstood(read, theirs, path).length > 0);
    expect(silent.filter((path) => whyLeftOut(endpoint, path) === null)).toEqual([]);
  });

  it('no key is read that nobody knows', () => {
    const unknown = [...keysRead(read, theirs)].filter((path) => !theirs.has(path));
    expect(unknown).toEqual(READ_THOUGH_UNKNOWN[endpoint] ?? []);
  });

  it('a null at any key but its own id loses no row', () => {
    expect([...theirs.keys()].filter((path) => losesRow(read, theirs, path))).toEqual(['id']);
  });
});

describe('the rows of disagreements', () => {
  it('leave out nothing that the client reads', () => {
    const used = LEFT_OUT.filter(({ endpoint, paths }) =>
      Object.entries(CLIENT_READERS).some(
        ([title, read]) =>
          endpoint.test(title) &&
          [...theirShapes(title).keys()].some(
            (path) =>
              paths.some((own) => path.startsWith(own)) &&
              notUnderstood(read, theirShapes(title), path).length > 0,
          ),
      ),
    );
    expect(used).toEqual(LEFT_OUT);
  });

  it('are assumptions for less than one key in a hundred', () => {
    const keys = ENDPOINTS.flatMap((endpoint) => [
      ...mergeShapes([shapesOf(answers[endpoint] ?? []), theirShapes(endpoint)]).keys(),
    ]);
    const assumed = KNOWN_DISAGREEMENTS.filter((row) => row.assumed).flatMap(({ endpoints, paths }) =>
      endpoints.flatMap(() => paths),
    );
    expect(keys.length).toBeGreaterThan(500);
    expect(assumed.length / keys.length).toBeLessThan(0.01);
  });
});

type Row = Readonly<Record<string, unknown>>;

/** Values of each type. A key is understood if one of them makes a difference. */
const SAMPLES: Readonly<Record<Kind, readonly unknown[]>> = {
  null: [null],
  boolean: [true, false],
  number: [ID, 1, 0],
  string: ['words', '2026-03-10T12:00:00+0000', '12', 'True'],
  list: [],
  object: [],
};

/** A row with a value at every key: those that name the requested owner come first. */
function wholeRow(shapes: Shapes): Row {
  const isClosed = (path: string) => ![...shapes.keys()].some((other) => other.startsWith(`${path}.`));
  return [...shapes].reduce<Row>((row, [path, kinds]) => {
    // Of a row that is marked as deleted nothing else is read.
    if (path === 'deleted') return putAt(row, path, false);
    if (kinds.has('object') && isClosed(path)) return putAt(row, path, { key: 'value' });
    const [first] = [...kinds].flatMap((kind) => (kind === 'null' ? [] : SAMPLES[kind]));
    return first === undefined ? row : putAt(row, path, first);
  }, {});
}

/** `tags[]` is the only item of the list `tags`. */
function putAt(row: Row, path: string, value: unknown): Row {
  return path.endsWith('[]') ? put(row, path.slice(0, -2), [value]) : put(row, path, value);
}

/** The types of `path` that make no difference to what the client reads. */
function notUnderstood(read: RowReader<object>, shapes: Shapes, path: string): readonly Kind[] {
  const rows = [wholeRow(shapes), putAt({ id: ID }, path, undefined)];
  const kinds = [...(shapes.get(path) ?? [])].filter((kind) => SAMPLES[kind].length > 0 && kind !== 'null');
  return kinds.filter((kind) =>
    rows.every((row) => {
      const results = [undefined, ...SAMPLES[kind]].map((value) => read(putAt(row, path, value)));
      return results.every((result) => isDeepStrictEqual(result, results[0]));
    }),
  );
}

/** Whether the row is lost when the key is null. */
function losesRow(read: RowReader<object>, shapes: Shapes, path: string): boolean {
  return read(putAt(wholeRow(shapes), path, null)).kind !== 'row';
}

/** Every key that the client looks at. */
function keysRead(read: RowReader<object>, shapes: Shapes): ReadonlySet<string> {
  const paths = new Set<string>();
  const watched = (value: unknown, path: string): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    return new Proxy(value, {
      get(held, key, receiver) {
        const inner: unknown = Reflect.get(held, key, receiver);
        if (typeof key === 'symbol') return inner;
        if (Array.isArray(held)) return /^\d+$/.test(key) ? watched(inner, `${path}[]`) : inner;
        const below = path === '' ? key : `${path}.${key}`;
        paths.add(below);
        // What a policy's configuration holds is not looked at.
        return key === 'configuration' ? inner : watched(inner, below);
      },
    });
  };
  read(watched(wholeRow(shapes), ''));
  return paths;
}

it('a reboot in a queue has the words and numbers that were recorded', async () => {
  const body = { command_type_name: 'Reboot' };
  await stage.ask({ endpoint: 'POST /servers/{id}/queues', id: 4_004, body });
  const reply = await stage.ask({ endpoint: 'GET /servers/{id}/queues', id: 4_004 });
  const { command_type_name, agent_command_type, args, reboot, response, response_time } =
    recorded('queue-2026.json')[0] ?? {};
  expect(reply).toMatchObject({
    status: 200,
    body: [{ command_type_name, agent_command_type, args, reboot, response, response_time }],
  });
});

it('a count of events has the keys that were recorded', async () => {
  const query = { countOnly: 1, eventName: 'system.patch.applied' };
  const { status, body } = await stage.ask({ endpoint: 'GET /events', query });
  expect(status).toBe(200);
  expect(body).toMatchObject({ size: expect.any(Number), results: [] });
  expect(Object.keys(Object(body))).toEqual(Object.keys(recorded('events-count-only-2026.json')[0] ?? {}));
});

describe('errors are those that were recorded', () => {
  const [forbidden, , validation, absent] = recorded('errors-2026.json');
  const readOnly = (): CoverageRequest => ({
    endpoint: 'POST /servers/{id}/queues',
    id: 4_004,
    body: { command_type_name: 'Reboot' },
    headers: { authorization: `Bearer ${stage.management.readOnlyKey}` },
  });
  const same = ({ status, body }: CoverageReply, theirs: unknown): void =>
    expect({ status, body }).toMatchObject(Object(theirs));
  const bare = (entry: typeof forbidden) => ({ status: entry?.['status'], body: entry?.['body'] });

  it('403 of the console', async () => {
    same(await stage.ask(readOnly()), bare(forbidden));
    same(await stage.ask({ endpoint: 'GET /servergroups/{id}', id: 1 }), bare(forbidden));
  });

  it('400 keyed by field', async () => {
    const reply = await stage.ask({ endpoint: 'POST /servergroups', body: {} });
    const { name } = Object(reply.body).errors;
    expect(shapesOf([{ errors: { server_groups: name } }])).toEqual(shapesOf([validation?.['body']]));
    expect(reply).toMatchObject({ status: 400, body: { errors: { name: ['The name field is required.'] } } });
  });

  it('404 of an absent policy', async () => {
    same(await stage.ask({ endpoint: 'GET /policies/{id}', id: 1 }), bare(absent));
  });
});

it('the headers that count requests are those that were recorded', async () => {
  const [theirs] = recorded('response-headers-2022.json');
  const own = (name: string) => name.startsWith('x-');
  const { baseUrl, apiKey, organizationId } = stage.management;
  const answer = await fetch(`${baseUrl}/servers?o=${organizationId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const names = Object.keys(Object(theirs?.['response_headers'])).filter(own);
  expect([...answer.headers.keys()].filter(own).sort()).toEqual(names.sort());
});

/** The live answers of the local service, with as much variety as it has. */
/** By endpoint. */
type OurAnswers = Readonly<Record<string, readonly unknown[]>>;

const COMMANDS = [
  { command_type_name: 'Reboot' },
  { command_type_name: 'GetOS' },
  { command_type_name: 'InstallUpdate', args: 'KB5042881' },
  { command_type_name: 'policy_2103_remediate' },
];

/** Of every device and every group, since each lacks something that another has. */
async function ourAnswers(stage: CoverageStage): Promise<OurAnswers> {
  const rows = async (endpoint: string, more: object = {}) =>
    itemsOf(await stage.ask({ ...requestFor(endpoint, stage), ...more }));
  const idsIn = (found: readonly Readonly<Record<string, unknown>>[]) => found.map(({ id }) => Number(id));
  const each = async (endpoint: string, ids: readonly number[]) =>
    (await Promise.all(ids.map((id) => rows(endpoint, { id })))).flat();
  stage.management.world({ do: 'device-added', name: 'never-scanned' });
  const [bare, detailed] = [await rows('GET /servers', { query: {} }), await rows('GET /servers')];
  const devices = idsIn(detailed);
  const queues = await queuesOf(stage, rows);
  const groups = await rows('GET /servergroups');
  const policies = await rows('GET /policies');
  const created = await createdGroups(stage);
  const batch = await rows('POST /servers/batch');
  return {
    'GET /servers': [...bare, ...detailed],
    'GET /servers/{id}': await each('GET /servers/{id}', devices),
    'GET /servers/{id}/packages': await each('GET /servers/{id}/packages', devices),
    'GET /servers/{id}/queues': queues,
    'GET /events': await rows('GET /events'),
    'GET /servergroups': groups,
    'GET /servergroups/{id}': await each('GET /servergroups/{id}', idsIn(groups)),
    'POST /servergroups': created,
    'POST /policies/device-filters-preview': await rows('POST /policies/device-filters-preview', {
      query: { limit: 200 },
    }),
    'GET /policies': policies,
    'GET /policies/{id}': await each('GET /policies/{id}', idsIn(policies)),
    'GET /orgs': await rows('GET /orgs'),
    'POST /servers/batch': batch,
  };
}

type AskRows = (endpoint: string, more?: object) => Promise<readonly unknown[]>;

/** Entries that wait, and answered ones. */
async function queuesOf(stage: CoverageStage, rows: AskRows): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for (const body of COMMANDS)
    await stage.ask({ endpoint: 'POST /servers/{id}/queues', id: DEVICE_ID, body });
  for (let step = 0; step < 12; step += 1) {
    seen.push(...(await rows('GET /servers/{id}/queues')));
    await stage.clock.advance(MINUTE / 6);
  }
  await stage.clock.advance(DAY);
  return seen;
}

/** A whole group, one with only what is required, and one with each half of the settings for updates. */
async function createdGroups(stage: CoverageStage): Promise<readonly unknown[]> {
  const request = requestFor('POST /servergroups', stage);
  const { name, refresh_interval, parent_server_group_id, enable_wsus, wsus_server } = request.body ?? {};
  const least = { name, refresh_interval, parent_server_group_id };
  const bodies = [request.body, least, { ...least, enable_wsus }, { ...least, wsus_server }];
  const replies = await Promise.all(
    bodies.map((body, index) => stage.ask({ ...request, body: { ...body, name: `Group ${index}` } })),
  );
  return replies.map(({ body }) => body);
}
