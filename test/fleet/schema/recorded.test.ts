/** Recorded payloads keep their meaning: every field of the table, compared with the payload itself. */
import { describe, expect, it } from 'vitest';
import { deviceReader } from '../../../src/fleet/schema/device.ts';
import { eventReader } from '../../../src/fleet/schema/event.ts';
import { groupReader } from '../../../src/fleet/schema/group.ts';
import { packageReader } from '../../../src/fleet/schema/package.ts';
import { queueEntryReader } from '../../../src/fleet/schema/queue-entry.ts';
import type { RowReader } from '../../../src/fleet/schema/rows.ts';
import { deviceId, organizationId } from '../../../src/lib/ids.ts';
import { recorded } from '../fixtures.ts';
import type { Table } from './document.ts';
import { TABLES } from './document-lists.ts';
import { FIELD_COVERAGE } from './field-mappings.ts';
import { every, fieldsOf } from './rows-of.ts';

const ORGANIZATION = organizationId(102270);
const DEVICE = deviceId(42);
const rowsOf = (name: string): readonly unknown[] => {
  const list = recorded(name);
  return Array.isArray(list) ? list : [];
};
const published: readonly unknown[] = rowsOf('events-published.json').map(
  (entry) => every(entry, 'sample')[0],
);

const RECORDED: readonly (readonly [Table['resource'], RowReader<object>, readonly unknown[]])[] = [
  ['device', deviceReader({ organizationId: ORGANIZATION }), rowsOf('servers-list-2022.json')],
  ['group', groupReader(ORGANIZATION), rowsOf('servergroups-list-2022.json')],
  ['package', packageReader(ORGANIZATION, DEVICE), rowsOf('packages-2026.json')],
  ['queueEntry', queueEntryReader(ORGANIZATION, DEVICE), rowsOf('queue-2026.json')],
  ['event', eventReader({ organizationId: organizationId(1234) }), published.slice(0, 1)],
  ['event', eventReader({ organizationId: organizationId(8427961) }), published.slice(1)],
];

/** Fields that the model transforms; their own tests say how. */
const MADE_OF = new Set([
  'custom_name',
  'display_name',
  'ignored',
  'group_ignored',
  'patches',
  'systemname',
  'data',
]);
/** The model's value for an absent or null field. */
const NOTHING = [null, undefined, '', false, []];

/** The meaning of a sent value, computed without the readers. */
function meaning(kind: string, sent: unknown): unknown {
  switch (kind) {
    case 'time':
      return Date.parse(
        String(sent)
          .replace(/(\.\d{3})\d{3}$/, '$1Z')
          .replace(/\+0000$/, 'Z'),
      );
    case 'truthText':
      return sent === 'True' || sent === '1';
    case 'digits':
    case 'score':
      return Number(sent);
    case 'texts':
      return Array.isArray(sent) ? sent : [];
    case 'commas':
      return String(sent).split(',');
    default:
      return sent;
  }
}

const CASES = RECORDED.flatMap(([resource, read, rows]) =>
  rows.map((row, index) => [`${resource} ${index}`, resource, read, row] as const),
);

describe('a recorded payload', () => {
  it('is there for each of them', () => {
    expect(CASES.length).toBe(10);
  });

  it.each(CASES)('%s keeps the meaning of every field', (_, resource, readRow, row) => {
    const read = readRow(row);
    if (read.kind !== 'row') throw new Error(`not read: ${read.kind}`);
    let compared = 0;
    for (const table of TABLES.filter((one) => one.resource === resource)) {
      for (const [field, kind] of fieldsOf(table)) {
        const place = Object.entries(FIELD_COVERAGE[table.section]).find(([name]) => name === field)?.[1];
        if (typeof place !== 'string' || MADE_OF.has(field) || /^(object|objects|wsus|data)$/.test(kind))
          continue;
        const sent = every(row, table.under + field);
        const held = every(read.row, place.split('.').slice(1).join('.'));
        for (const [index, value] of sent.entries()) {
          if (value === null || value === undefined) expect(NOTHING, field).toContainEqual(held[index]);
          else expect(held[index], `${table.section} ${field}`).toEqual(meaning(kind, value));
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(8);
  });
});
