import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceReader } from '../../../src/fleet/schema/device.ts';
import { eventReader } from '../../../src/fleet/schema/event.ts';
import { groupReader } from '../../../src/fleet/schema/group.ts';
import { packageReader } from '../../../src/fleet/schema/package.ts';
import { policyReader } from '../../../src/fleet/schema/policy.ts';
import { queueEntryReader } from '../../../src/fleet/schema/queue-entry.ts';
import { type RowReader, readList } from '../../../src/fleet/schema/rows.ts';
import { deviceId, organizationId } from '../../../src/lib/ids.ts';
import { property } from '../../harness/property.ts';
import { event, listedDevice, policy, recorded, recordedRow } from '../fixtures.ts';
import { type FieldMapping, fieldsOf, formOf, type Row, TABLES, type Table } from './field-mappings.ts';
import { at, every, isPlain, put, READERS, rowIn, wholeRow } from './rows-of.ts';

type Case = {
  readonly name: string;
  readonly table: Table;
  readonly path: string;
  readonly kind: Parameters<typeof formOf>[0];
  readonly place: FieldMapping;
};

const CASES: readonly Case[] = TABLES.flatMap((table) =>
  fieldsOf(table).map(([field, [kind, place]]) => ({
    name: `${table.section} ${field}`,
    table,
    path: table.under + field,
    kind,
    place,
  })),
);
const modelled = CASES.flatMap((one) =>
  typeof one.place === 'string' ? [{ ...one, place: one.place }] : [],
);
const named = (cases: readonly Case[]) => cases.map((one) => [one.name, one] as const);

const read = (table: Table, row: Row) => READERS[table.resource](row);
const modelOf = (table: Table, row: Row): object => rowIn(read(table, row));
/** A row in which nothing else hides the field: the name in an event's data counts when the event has none. */
const rowFor = ({ table, path }: Case): Row =>
  path === 'data.systemname' ? put(wholeRow(table.resource), 'server_name', null) : wholeRow(table.resource);

describe('a field in the model', () => {
  it.each(named(modelled))('%s changes it at the path in the table', (_, one) => {
    const { one: value, other } = formOf(one.kind);
    const [before, after] = [value, other].map((sent) =>
      modelOf(one.table, put(rowFor(one), one.path, sent)),
    );
    const place = String(one.place);
    expect(at(before, place)).not.toEqual(at(after, place));
    expect([at(before, place), at(after, place)]).not.toContain(undefined);
  });

  it.each(named(modelled.filter(({ kind }) => formOf(kind).alike !== undefined)))(
    '%s means the same in every form',
    (_, one) => {
      const usual = modelOf(one.table, put(rowFor(one), one.path, formOf(one.kind).one));
      for (const form of formOf(one.kind).alike ?? [])
        expect(modelOf(one.table, put(rowFor(one), one.path, form)), JSON.stringify(form)).toEqual(usual);
    },
  );
});

describe('a field that is left out', () => {
  it.each(named(CASES.filter(({ place }) => typeof place === 'object' && 'leftOut' in place)))(
    '%s changes nothing and has a reason',
    (_, one) => {
      const { one: value, other } = formOf(one.kind);
      const [before, after] = [value, other].map((sent) =>
        modelOf(one.table, put(rowFor(one), one.path, sent)),
      );
      expect(before).toEqual(after);
      expect(one.place).toMatchObject({ leftOut: expect.stringMatching(/\w{3}/) });
    },
  );
});

describe('a field that is checked', () => {
  it.each(named(CASES.filter(({ place }) => typeof place === 'object' && 'checked' in place)))(
    '%s rejects a row of another owner, or of something that is gone',
    (_, one) => {
      expect(read(one.table, rowFor(one)).kind).toBe('row');
      const other = read(one.table, put(rowFor(one), one.path, formOf(one.kind).other));
      expect(['foreign', 'stray', 'deleted']).toContain(other.kind);
    },
  );
});

/** What a field may turn into. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    {},
    [],
    [null],
    [{}],
    [[null]],
    '',
    '0',
    0,
    -1,
    1e300,
    '1e9',
    NaN,
  ),
  fc.constantFrom<unknown>(true, 'true', 'True', '<!channel>', '\u0000', '\ud800', '__proto__'),
  fc.constantFrom('9'.repeat(400), 'x'.repeat(10_000)),
  fc.anything({ maxDepth: 3, withNullPrototype: true }),
);

describe('a field with an unexpected value', () => {
  const isOwner = ({ path, place }: Case) => path === 'id' || typeof place === 'object';

  it.each(named(CASES.filter((one) => !isOwner(one))))('%s never loses its row', (_, one) => {
    const row = rowFor(one);
    fc.assert(
      fc.property(odd, (value) => {
        const model = modelOf(one.table, put(row, one.path, value));
        expect(at(model, 'x.id')).toBe(11);
        expect(isPlain(model)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it.each(TABLES.map((table) => [table.resource, table] as const))(
    'all at once never lose a page of %s: only rows without an id are missing, and they are counted',
    (_, table) => {
      const whole = wholeRow(table.resource);
      const fields = fieldsOf(table).filter(([field]) => !/^(id|.*_id|deleted)$/.test(field));
      const row = fc
        .record(Object.fromEntries(fields.map(([field]) => [field, odd])))
        .map((values) =>
          Object.entries(values).reduce((all, [field, value]) => put(all, table.under + field, value), whole),
        );
      const lost = fc.constantFrom<unknown>(null, [], 'x', 7, { id: 0 }, { id: {} }, { id: 'five' });
      fc.assert(
        fc.property(fc.array(row, { maxLength: 3 }), fc.array(lost, { maxLength: 3 }), (odd, unreadable) => {
          const rows = readList([...unreadable, ...odd, whole], READERS[table.resource]);
          expect(rows).toMatchObject({ kind: 'rows', unreadable: unreadable.length, foreignRows: 0 });
          expect(rows.kind === 'rows' && rows.rows.length).toBe(odd.length + 1);
        }),
        { numRuns: 30 },
      );
    },
  );
});

const ORGANIZATION = organizationId(7);
const DEVICE = deviceId(42);

const RESOURCES: readonly (readonly [string, RowReader<{ readonly id: number }>, Record<string, unknown>])[] =
  [
    ['devices', deviceReader({ organizationId: ORGANIZATION }), listedDevice(1)],
    ['packages', packageReader(ORGANIZATION, DEVICE), recordedRow('packages-2026.json')],
    ['queue entries', queueEntryReader(ORGANIZATION, DEVICE), recordedRow('queue-2026.json')],
    [
      'events',
      eventReader({ organizationId: ORGANIZATION }),
      event(1, { data: { patches: 'a', status: '0' } }),
    ],
    ['groups', groupReader(ORGANIZATION), recordedRow('servergroups-list-2022.json')],
    ['policies', policyReader(ORGANIZATION), policy(3)],
  ];

/** A row with odd values in all fields except its id, its owners and whether it is deleted. */
const oddRow = (row: Record<string, unknown>) =>
  fc
    .record(
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, fc.oneof(fc.constant(value), odd)])),
      { requiredKeys: [] },
    )
    .map((odd) => ({ ...odd, id: 5, organization_id: ORGANIZATION, server_id: DEVICE, deleted: false }));

describe.each(RESOURCES)('unusual rows of %s', (resource, readRow, row) => {
  const good = { ...row, organization_id: ORGANIZATION, server_id: DEVICE };
  property([fc.array(oddRow(row), { maxLength: 3 }), fc.array(fc.constantFrom(null, {}, [], 'x', 7))])(
    'are read whatever their fields are, as long as there is an id, and lose none of the rows beside them',
    (odd, lost) => {
      const list = readList([...odd, ...lost, { ...good, id: 99 }], readRow);
      const sent = odd.length + lost.length + 1;
      expect(list).toMatchObject({ kind: 'rows', unreadable: lost.length, sent });
      const rows = list.kind === 'rows' ? list.rows : [];
      expect(rows.map(({ id }) => id)).toEqual([...odd.map(() => 5), 99]);
      expect(rows.every(isPlain)).toBe(true);
    },
  );

  it('are the same as typical ones when only the form of a number differs', () => {
    const typical = { ...row, id: 5, organization_id: ORGANIZATION, server_id: DEVICE };
    const usual = readRow(typical);
    expect(readRow({ ...typical, id: '5', organization_id: '7', server_id: '42' })).toEqual(usual);
    expect(usual.kind).toBe('row');
  });

  it('of other owners invalidate the whole answer, but events are left out', () => {
    const foreign = { ...good, id: 6, organization_id: 8 };
    expect(readList([good, foreign], readRow)).toMatchObject(
      resource === 'events'
        ? { kind: 'rows', sent: 2, foreignRows: 1, unreadable: 0, rows: [{ id: 1 }] }
        : { kind: 'misshapen', detail: 'a row of another organization' },
    );
  });
});

describe('a list', () => {
  const readRow = deviceReader({ organizationId: ORGANIZATION });

  it.each([[null], [undefined], [{}], ['[]'], [5], [{ results: {} }], [{ errors: ['No'] }]])(
    'is not %j',
    (body) => {
      expect(readList(body, readRow)).toEqual({ kind: 'misshapen', detail: 'a list was expected' });
    },
  );

  it('is not harmed by prototypes or depth in its rows', () => {
    const depth = 50_000;
    const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const poisoned: unknown = JSON.parse(
      '{"id":6,"__proto__":{"polluted":true},"constructor":{"prototype":{}}}',
    );
    const rows = readList([{ id: 5, detail: deep, tags: deep }, poisoned], readRow);
    expect(rows.kind === 'rows' && rows.rows.map(({ id }) => id)).toEqual([5, 6]);
    expect(JSON.stringify(rows)).not.toContain('polluted');
  });

  it('takes its total from its rows only when it is a count', () => {
    const totalOf = (total_count: unknown) => {
      const rows = readList([{ id: 5, total_count }], readRow);
      return rows.kind === 'rows' ? rows.total : 'no rows';
    };
    expect([240, 0, '240', -1, null, 1.5].map(totalOf)).toEqual([240, 0, null, null, null, null]);
  });
});

const recordedRows = (name: string): readonly unknown[] => {
  const list = recorded(name);
  return Array.isArray(list) ? list : [];
};
const published: readonly unknown[] = recordedRows('events-published.json').map(
  (entry) => every(entry, 'sample')[0],
);

const RECORDED: readonly (readonly [Table['resource'], RowReader<object>, readonly unknown[]])[] = [
  [
    'device',
    deviceReader({ organizationId: organizationId(102270) }),
    recordedRows('servers-list-2022.json'),
  ],
  ['group', groupReader(organizationId(102270)), recordedRows('servergroups-list-2022.json')],
  ['package', packageReader(organizationId(102270), DEVICE), recordedRows('packages-2026.json')],
  ['queueEntry', queueEntryReader(organizationId(102270), DEVICE), recordedRows('queue-2026.json')],
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

const PAYLOADS = RECORDED.flatMap(([resource, read, rows]) =>
  rows.map((row, index) => [`${resource} ${index}`, resource, read, row] as const),
);

describe('a recorded payload', () => {
  it('is there for each of them', () => {
    expect(PAYLOADS.length).toBe(10);
  });

  it.each(PAYLOADS)('%s keeps the meaning of every field', (_, resource, readRow, row) => {
    const model = rowIn(readRow(row));
    let compared = 0;
    for (const table of TABLES.filter((one) => one.resource === resource)) {
      for (const [field, [kind, place]] of fieldsOf(table)) {
        if (typeof place !== 'string' || MADE_OF.has(field) || /^(object|objects|wsus|data)$/.test(kind))
          continue;
        const sent = every(row, table.under + field);
        const held = every(model, place.split('.').slice(1).join('.'));
        for (const [index, value] of sent.entries()) {
          if (value === null || value === undefined) expect(NOTHING, field).toContainEqual(held[index]);
          else expect(held[index], `${table.section} ${field}`).toEqual(meaning(kind, value));
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(6);
  });
});
