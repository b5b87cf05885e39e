/** What the product's client makes of each key: found by changing the key, not by reading its code. */
import { isDeepStrictEqual } from 'node:util';
import { deviceReader, previewReader } from '../../../../src/fleet/schema/device.ts';
import { eventReader } from '../../../../src/fleet/schema/event.ts';
import { groupReader } from '../../../../src/fleet/schema/group.ts';
import { packageReader } from '../../../../src/fleet/schema/package.ts';
import { organizationReader, policyReader } from '../../../../src/fleet/schema/policy.ts';
import { queueEntryReader } from '../../../../src/fleet/schema/queue-entry.ts';
import type { RowReader } from '../../../../src/fleet/schema/rows.ts';
import { deviceId, organizationId } from '../../../../src/lib/ids.ts';
import { put } from '../../../fleet/schema/rows-of.ts';
import type { Kind, Shapes } from './sources.ts';

type Row = Readonly<Record<string, unknown>>;

const ID = 17;
const ORGANIZATION = organizationId(ID);
const DEVICE = deviceId(ID);
const device = deviceReader({ organizationId: ORGANIZATION });
const group = groupReader(ORGANIZATION);
const policy = policyReader(ORGANIZATION);

/** By endpoint. The client sends a created group's answer through the reader of groups, and reads no batch job. */
export const CLIENT_READERS: Readonly<Record<string, RowReader<object>>> = {
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
export function notUnderstood(read: RowReader<object>, shapes: Shapes, path: string): readonly Kind[] {
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
export function losesRow(read: RowReader<object>, shapes: Shapes, path: string): boolean {
  return read(putAt(wholeRow(shapes), path, null)).kind !== 'row';
}

/** Every key that the client looks at. */
export function keysRead(read: RowReader<object>, shapes: Shapes): ReadonlySet<string> {
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
