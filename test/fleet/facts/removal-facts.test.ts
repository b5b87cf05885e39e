/** What goes with a device or a group that is removed, as it is read and as it is worded. */
import { describe, expect, it } from 'vitest';
import { removalEffects } from '../../../src/fleet/facts/edit-changes.ts';
import { readDeviceForRemoval, readGroupForRemoval } from '../../../src/fleet/facts/read-facts.ts';
import type { FleetPage } from '../../../src/fleet/fleet.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { deviceId, groupId, organizationId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPolicy, aQueueEntry, aResponse, START } from '../../harness/builders.ts';
import { aFleetReader } from '../../harness/fleet-reader.ts';

const GROUP = groupId(20);
async function* pageOf<T>(...pages: readonly Partial<FleetPage<T>>[]) {
  for (const page of pages) yield { rows: [], total: null, unreadable: 0, ...page };
}
const many = (count: number, more: Partial<Device> = {}) =>
  Array.from({ length: count }, (_, at) => aDevice({ id: deviceId(at + 1), name: `n-${at}`, ...more }));

const groupWith = (...pages: readonly Partial<FleetPage<Device>>[]) =>
  readGroupForRemoval(
    aFleetReader({
      groups: () =>
        pageOf({
          rows: [
            aGroup({ id: groupId(1), name: '', parentId: groupId(1), policyIds: [policyId(12)] }),
            aGroup({ id: GROUP, policyIds: [policyId(12), policyId(99)], deviceCount: 7 }),
            aGroup({ id: groupId(21), name: 'Web', parentId: GROUP }),
          ],
        }),
      policies: () => pageOf({ rows: [aPolicy({ name: 'Patch all' })] }),
      devices: () => pageOf(...pages),
    }),
    { groupId: GROUP, asOf: START, lane: 'person' },
  );

describe('what goes with a group', () => {
  it('is its devices, subgroups and policies, and those of the Default Group', async () => {
    const facts = await groupWith({ rows: many(2) });
    expect(facts?.removal).toEqual({
      devices: { count: 2, listed: [expect.objectContaining({ name: 'n-0' }), { id: 2, name: 'n-1' }] },
      subgroups: [{ id: 21, name: 'Web' }],
      policiesAfter: [{ id: 12, name: 'Patch all', digest: 'c0ffee' }],
    });
    expect(facts?.group?.policies).toEqual([
      { id: 12, name: 'Patch all' },
      { id: 99, name: null },
    ]);
  });

  it.each<[string, readonly Partial<FleetPage<Device>>[], number, number]>([
    ['no rows of other groups', [{ rows: many(3, { groupId: groupId(9) }) }], 0, 0],
    ['rows that could not be read', [{ rows: many(2), unreadable: 1 }, { shortfall: 2 }], 5, 2],
    ['as many as one page lists', [{ rows: many(500) }], 500, 500],
    ['of more only the number', [{ rows: many(500), total: 1_200 }, { rows: many(100) }], 1_200, 0],
    ['of more at least what was read', [{ rows: many(501) }], 501, 0],
  ])('counts %s', async (_what, pages, count, listed) => {
    const devices = (await groupWith(...pages))?.removal?.devices;
    expect([devices?.count, devices?.listed.length]).toEqual([count, listed]);
  });
});

describe('what goes with a device', () => {
  const read = (device: Device | null) =>
    readDeviceForRemoval(
      aFleetReader({
        device: async () => device ?? Promise.reject(new Error('not read')),
        queue: async () => [
          aQueueEntry({ id: queueEntryId(1), type: 'Reboot', response: null, responseTime: null }),
          aQueueEntry({ id: queueEntryId(2), type: 'GetOS', response: aResponse(0, '') }),
        ],
      }),
      {
        deviceId: deviceId(1001),
        asOf: START,
        lane: 'person',
        organizationId: organizationId(7),
        groupName: async () => 'Linux servers',
      },
    );

  it('is each of its policies once, and what waits in its queue', async () => {
    const policies = [aPolicy({ name: 'Patch all' })];
    expect((await read(aDevice({ policies })))?.removal).toEqual({
      policies: [{ id: 12, name: 'Patch all' }],
      queued: [{ id: 1, type: 'Reboot' }],
    });
  });

  it('is nothing for one of another organization', async () => {
    expect(await read(aDevice({ organizationId: organizationId(8) }))).toBeNull();
  });

  it('is worded as counts with the first ten names, none too long', async () => {
    const policies = Array.from({ length: 12 }, (_, at) =>
      aPolicy({ id: policyId(at + 1), name: at === 0 ? 'x'.repeat(80) : `p${at}` }),
    );
    const facts = await read(aDevice({ policies }));
    expect(facts === null ? null : removalEffects(facts)).toEqual([
      {
        label: 'Policies (12)',
        value: expect.stringMatching(/^"x{59}…" \(#1\), p1 \(#2\), .*, p9 \(#10\) and 2 more$/),
      },
      { label: 'Queued commands, also deleted (1)', value: 'Reboot' },
    ]);
  });
});
