/** Readers of every resource, and rows that are changed field by field. */
import { deviceReader, previewReader } from '../../../src/fleet/schema/device.ts';
import { eventReader } from '../../../src/fleet/schema/event.ts';
import { groupReader } from '../../../src/fleet/schema/group.ts';
import { packageReader } from '../../../src/fleet/schema/package.ts';
import { queueEntryReader } from '../../../src/fleet/schema/queue-entry.ts';
import type { RowReader } from '../../../src/fleet/schema/rows.ts';
import { deviceId, organizationId } from '../../../src/lib/ids.ts';
import { fieldsOf, formOf, type Row, TABLES, type Table } from './field-mappings.ts';

/** The first value of every id, so that rows made of first values match the request. */
const EXPECTED = 11;
const organization = organizationId(EXPECTED);
const device = deviceId(EXPECTED);

export const READERS: Readonly<Record<Table['resource'], RowReader<object>>> = {
  group: groupReader(organization),
  device: deviceReader({ organizationId: organization }),
  package: packageReader(organization, device),
  queueEntry: queueEntryReader(organization, device),
  event: eventReader({ organizationId: organization }),
  previewedDevice: previewReader(),
};

export function rowIn<T>(read: ReturnType<RowReader<T>>): T {
  if (read.kind !== 'row') throw new Error(`not read: ${read.kind}`);
  return read.row;
}

/** A row in which every field has the first value of its kind. */
export function wholeRow(resource: Table['resource']): Row {
  return TABLES.filter((table) => table.resource === resource).reduce<Row>(
    (row, table) =>
      fieldsOf(table).reduce(
        (filled, [field, [kind]]) => put(filled, table.under + field, formOf(kind).one),
        row,
      ),
    {},
  );
}

/** The row with another value at `path`, such as `detail.VOLUME[].FREE`: `[]` is the first of a list. */
export function put(row: Row, path: string, value: unknown): Row {
  const [head = '', ...rest] = path.split('.');
  const key = head.replace('[]', '');
  if (rest.length === 0) return { ...row, [key]: value };
  const held = head.endsWith('[]') ? firstOf(row[key]) : row[key];
  const changed = put(isRow(held) ? held : {}, rest.join('.'), value);
  return { ...row, [key]: head.endsWith('[]') ? [changed] : changed };
}

/** The value in a model at a path of the coverage table, such as `device.detail.volumes[].freeBytes`. */
export function at(model: unknown, path: string): unknown {
  return path
    .split('.')
    .slice(1)
    .reduce((held: unknown, step) => {
      const found: unknown = isRow(held) ? held[step.replace('[]', '')] : undefined;
      return step.endsWith('[]') ? firstOf(found) : found;
    }, model);
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every value of the model is of a kind that the product expects. */
export function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((item) => item !== null && isPlain(item));
  return typeof value === 'object' && value !== null && Object.values(value).every(isPlain);
}

/** Every value at a path, of all entries if it goes through lists (`[]`). */
export function every(held: unknown, path: string): readonly unknown[] {
  return path.split('.').reduce<readonly unknown[]>(
    (values, step) =>
      values.flatMap((value) => {
        const found: unknown = isRow(value) ? value[step.replace('[]', '')] : undefined;
        return step.endsWith('[]') ? (Array.isArray(found) ? found : []) : [found];
      }),
    [held],
  );
}
