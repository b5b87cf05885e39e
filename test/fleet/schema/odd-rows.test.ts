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
import { event, listedDevice, policy, recordedRow } from '../fixtures.ts';
import { isPlain } from './rows-of.ts';

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

/** What a field may turn into. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    {},
    [],
    [null],
    [{}],
    '',
    '0',
    0,
    -1,
    true,
    'true',
    1e300,
    '1e9',
    NaN,
  ),
  fc.anything({ maxDepth: 3 }),
);

/** A row with odd values in all fields except its id, its owners and whether it is deleted. */
const oddRow = (row: Record<string, unknown>) =>
  fc
    .record(
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, fc.oneof(fc.constant(value), oddValue)]),
      ),
      { requiredKeys: [] },
    )
    .map((odd) => ({ ...odd, id: 5, organization_id: ORGANIZATION, server_id: DEVICE, deleted: false }));

describe.each(RESOURCES)('unusual rows of %s', (resource, readRow, row) => {
  it('are read whatever their fields are, as long as there is an id', () => {
    fc.assert(
      fc.property(oddRow(row), (odd) => {
        const read = readRow(odd);
        expect(read.kind).toBe('row');
        if (read.kind === 'row') expect(isPlain(read.row)).toBe(true);
      }),
    );
  });

  it('never lose the rows beside them', () => {
    const good = { ...row, organization_id: ORGANIZATION, server_id: DEVICE };
    fc.assert(
      fc.property(
        fc.array(oddRow(row), { maxLength: 3 }),
        fc.array(fc.constantFrom(null, {}, [], 'x', 7)),
        (odd, lost) => {
          const rows = readList([...odd, ...lost, { ...good, id: 99 }], readRow);
          expect(rows).toMatchObject({
            kind: 'rows',
            unreadable: lost.length,
            sent: odd.length + lost.length + 1,
          });
          expect(rows.kind === 'rows' && rows.rows.at(-1)?.id).toBe(99);
        },
      ),
    );
  });

  it('are the same as typical ones when only the form of a number differs', () => {
    const typical = { ...row, id: 5, organization_id: ORGANIZATION, server_id: DEVICE };
    const usual = readRow(typical);
    expect(readRow({ ...typical, id: '5', organization_id: '7', server_id: '42' })).toEqual(usual);
    expect(usual.kind).toBe('row');
  });

  it('of other owners invalidate the whole answer, but events are left out', () => {
    const good = { ...row, organization_id: ORGANIZATION, server_id: DEVICE };
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
