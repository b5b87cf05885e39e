/** A service for the proofs of one file and profile, reset before each of them. */

import { isDeepStrictEqual } from 'node:util';
import { createManualClock } from '../../../../src/lib/clock.ts';
import type { ManagementService } from '../../../../src/sandbox/contracts/services.ts';
import { createManagement } from '../../../../src/sandbox/management/management.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';
import { START } from '../harness/service.ts';
import type { CoverageRow } from '../interface/coverage.ts';
import type { ProfileName } from '../interface/endpoints.ts';

/** Enough that every filter keeps some and excludes some. */
const DEVICES = 60;

export type CoverageStage = Awaited<ReturnType<typeof startCoverageStage>>;

export type Proof = (ask: SendRequest, stage: CoverageStage) => Promise<void>;

export async function startCoverageStage(profile: ProfileName, devices = DEVICES) {
  const clock = createManualClock(START);
  const management = await createManagement({ clock, wire: createWire({ clock }), devices, profile });
  const stop = async () => {
    await management.stop();
    clock.stop();
  };
  return { profile, management, clock, ask: sendUnchanged(management), stop };
}

/** The proof must pass, and must fail once what `row` names is removed. */
export async function prove(stage: CoverageStage, row: CoverageRow, proof: Proof): Promise<void> {
  stage.management.reset();
  await proof(stage.ask, stage);
  stage.management.reset();
  try {
    await proof(sendWithout(stage.ask, row), stage);
  } catch (error) {
    if (error instanceof Unproven) return;
    throw error;
  }
  throw new Error(`The proof of ${row.kind} ${row.name} holds without it.`);
}

export type QueryValues = Readonly<Record<string, unknown>>;
export type CoverageRequest = {
  /** `GET /servers/{id}` */
  readonly endpoint: string;
  readonly id?: number;
  /** The second id of a path. */
  readonly entry?: number;
  /** Without `o`, the service's own organization is added; null: left out. */
  readonly query?: QueryValues;
  readonly body?: QueryValues;
  /** Added to the usual ones; null: left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
};
export type CoverageReply = { readonly status: number; readonly body: unknown };
export type SendRequest = (request: CoverageRequest) => Promise<CoverageReply>;

/** Sends the request unchanged, with key and organization. */
function sendUnchanged({ baseUrl, apiKey, organizationId }: ManagementService): SendRequest {
  return async ({ endpoint, id, entry, query = {}, body, headers = {} }) => {
    const [method = '', template = ''] = endpoint.split(' ');
    const search = new URLSearchParams(definedValues({ o: organizationId, ...query }));
    const path = template.replace('{id}', String(id)).replace('{entry}', String(entry));
    const response = await fetch(`${baseUrl}${path}?${search}`, {
      method,
      headers: definedValues({
        authorization: `Bearer ${apiKey}`,
        // A connection that idled while a slow machine computed may be closed just when it is used again.
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }),
      // Bytes, because a text would add its own content type.
      ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
}

/** The same, as if the service did not know what `row` names. */
export function sendWithout(ask: SendRequest, { endpoint, kind, name }: CoverageRow): SendRequest {
  const [field = ''] = name.split('=');
  return async (request) => {
    if (request.endpoint !== endpoint) return ask(request);
    switch (kind) {
      case 'path':
        return field === 'entry'
          ? ask({ ...request, entry: (request.entry ?? 0) + 1 })
          : ask({ ...request, id: (request.id ?? 0) + 1 });
      case 'query':
        return ask({ ...request, query: { ...request.query, [field]: null } });
      case 'body':
        return ask({
          ...request,
          ...(request.body === undefined ? {} : { body: withoutValue(request.body, field) }),
        });
      case 'header':
        return ask({ ...request, headers: { ...request.headers, [field.toLowerCase()]: null } });
      case 'status': {
        const reply = await ask(request);
        return String(reply.status) === name ? { ...reply, status: 599 } : reply;
      }
      case 'answer': {
        const reply = await ask(request);
        return { ...reply, body: withoutField(reply.body, field) };
      }
      default:
        return kind satisfies never;
    }
  };
}

function withoutValue(values: QueryValues, name: string): QueryValues {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}

function definedValues(values: QueryValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  );
}

export class Unproven extends Error {}

export function assertClaim(holds: boolean, words: string): void {
  if (!holds) throw new Unproven(words);
}

export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const words = `${what} is ${JSON.stringify(actual)?.slice(0, 200)}, not ${JSON.stringify(expected)?.slice(0, 200)}`;
  assertClaim(isDeepStrictEqual(actual, expected), words);
}

/** The objects of a successful answer. */
export function itemsOf({ status, body }: CoverageReply): readonly Json[] {
  assertClaim(status === 200, `the answer is ${status} ${JSON.stringify(body).slice(0, 200)}`);
  return itemsIn(body);
}

/** A 400 whose error is keyed by `field`. */
export function assertRefused({ status, body }: CoverageReply, field: string): void {
  const errors = isObject(body) && isObject(body['errors']) ? body['errors'] : {};
  assertClaim(status === 400, `the answer is ${status}, not 400`);
  assertClaim(Array.isArray(errors[field]), `the errors do not name ${field}: ${JSON.stringify(body)}`);
}

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of an answer: of a list, of the `results` of a page, or the only one. */
export function itemsIn(body: unknown): readonly Json[] {
  const list: readonly unknown[] = Array.isArray(body)
    ? body
    : isObject(body) && Array.isArray(body['results'])
      ? body['results']
      : [body];
  return list.filter(isObject);
}

/** Every object that should have the last name of `path`, and that name. Empty objects are skipped. */
export function parentsOf(
  thing: Json,
  path: string,
): { readonly holders: readonly Json[]; readonly last: string } {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holders = names.reduce<readonly Json[]>(
    (found, name) =>
      found.flatMap((one) => {
        const value = one[name.replace('[]', '')];
        return (Array.isArray(value) ? value : [value]).filter(isObject);
      }),
    [thing],
  );
  return { holders: holders.filter((one) => Object.keys(one).length > 0), last };
}

/** A copy of `body` whose objects lack the field. */
export function withoutField(body: unknown, path: string): unknown {
  const copy: unknown = structuredClone(body);
  for (const thing of itemsIn(copy)) {
    const { holders, last } = parentsOf(thing, path);
    for (const holder of holders) Reflect.deleteProperty(holder, last);
  }
  return copy;
}

const DEVICE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;
const QUEUE_TIME = { documented: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, live: DEVICE_TIME };
const EVENT_TIME = {
  documented: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/,
  live: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
};

const LOGON_TIME = {
  documented: DEVICE_TIME,
  live: /^(\d+\/\d+\/\d{4} \d+:\d\d:\d\d [AP]M|\d{4}-\d\d-\d\d \d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00)$/,
};

const listOf = (value: unknown, test: (item: unknown) => boolean) =>
  Array.isArray(value) && value.every(test);
const isText = (value: unknown) => typeof value === 'string';
const isTextLike = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);

const TESTS: Readonly<Record<string, (profile: ProfileName) => (value: unknown) => boolean>> = {
  integer: () => Number.isSafeInteger,
  number: () => Number.isFinite,
  string: () => isText,
  boolean: () => (value) => typeof value === 'boolean',
  array: () => Array.isArray,
  object: () => isObject,
  value: () => (value) => value !== null,
  integers: () => (value) => listOf(value, Number.isSafeInteger),
  strings: () => (value) => listOf(value, isText),
  digits: () => isTextLike(/^\d+$/),
  color: () => isTextLike(/^#[0-9a-f]{6}$/i),
  'device time': () => isTextLike(DEVICE_TIME),
  'queue time': (profile) => isTextLike(QUEUE_TIME[profile]),
  'logon time': (profile) => isTextLike(LOGON_TIME[profile]),
  'event time': (profile) => isTextLike(EVENT_TIME[profile]),
};

type FieldTest = {
  readonly fits: (value: unknown) => boolean;
  readonly nullable: boolean;
  /** Observed to be missing, or to have another type where it is empty. */
  readonly loose: boolean;
};

export function fieldTest(type: string, profile: ProfileName): FieldTest {
  const loose = type.endsWith('?');
  const nullable = type.endsWith(' or null');
  const base = type.replace(/\?$| or null$/, '');
  const test = TESTS[base];
  if (test === undefined) throw new Error(`No such type: ${type}`);
  return { fits: test(profile), nullable, loose };
}
