import { describe, expect, it } from 'vitest';
import { fieldChanges, removalEffects } from '../../../src/fleet/facts/edit-changes.ts';
import { toDeviceFacts } from '../../../src/fleet/facts/facts.ts';
import { readDeviceForRemoval, readGroupForRemoval } from '../../../src/fleet/facts/read-facts.ts';
import type { FleetPage } from '../../../src/fleet/fleet.ts';
import {
  changesRecord,
  editedFields,
  isEdit,
  isRemoval,
  recordKindOf,
} from '../../../src/fleet/model/actions.ts';
import type { DeviceChange, GroupChange, PolicyChange } from '../../../src/fleet/model/changes.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { deviceId, groupId, organizationId, policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPolicy, aQueueEntry, aResponse, START } from '../../harness/builders.ts';
import { aFleetReader } from '../../harness/fleet-reader.ts';
import { someFacts, somePackages } from '../../harness/records.ts';
import { aDeviceToEdit, aGroupToEdit, aPolicyToEdit } from '../../requests/builders.ts';

const device = aDeviceToEdit({}, { customName: 'Desk', tags: ['b', 'a'], addresses: ['192.0.2.1'] });
const group = aGroupToEdit(
  {},
  { color: '#123456', notes: 'x', osAutoUpdate: true, wsus: { managed: true, server: 'http://w:1' } },
);

const differs = (added: readonly string[], removed: readonly string[], kept: readonly string[] = []) => ({
  difference: { added, removed, kept },
});

describe('an edit in rows', () => {
  it.each<[DeviceChange, string, string, string, object?]>([
    [{ customName: null }, 'customName', 'Desk', 'none'],
    [{ groupId: groupId(10) }, 'groupId', 'Servers (#9)', 'Laptops (#10)'],
    [{ retag: { add: ['c'], remove: ['a'] } }, 'tags', 'a, b', 'b, c', differs(['c'], ['a'], ['b'])],
    [{ tags: [] }, 'tags', 'a, b', 'none', differs([], ['a', 'b'])],
    [{ exception: true }, 'exception', 'no', 'yes'],
    [
      { addresses: ['192.0.2.2', '192.0.2.1'] },
      'addresses',
      '192.0.2.1',
      '192.0.2.1, 192.0.2.2',
      differs(['192.0.2.2'], [], ['192.0.2.1']),
    ],
  ])('of a device: %j', (change, field, before, after, more = {}) => {
    expect(fieldChanges({ kind: 'device-edit', change }, device)).toEqual([
      { field, before, after, ...more },
    ]);
  });

  it.each([
    ['of the same name', 'Servers', 'Servers (#9)', 'Servers (#10)'],
    ['whose name is not known', null, 'Servers (#9)', '#10 (name unknown)'],
  ])('tell a group %s by its id', (_what, intoGroup, before, after) => {
    const facts = aDeviceToEdit({}, { intoGroup });
    const [row] = fieldChanges({ kind: 'device-edit', change: { groupId: groupId(10) } }, facts);
    expect(row).toEqual({ field: 'groupId', before, after });
  });

  it('of a long list show the added and removed items', () => {
    const tags = Array.from({ length: 100 }, (_, at) => `tag-${at}`);
    const retag = { add: ['new', 'tag-3'], remove: ['tag-4', 'absent'] };
    const [row] = fieldChanges({ kind: 'device-edit', change: { retag } }, aDeviceToEdit({}, { tags }));
    expect(row?.difference).toMatchObject({ added: ['new'], removed: ['tag-4'] });
    expect(row?.difference?.kept).toHaveLength(99);
  });

  it.each<[GroupChange, string, string, string, object?]>([
    [{ name: 'Booths' }, 'name', 'Kiosks', 'Booths'],
    [{ parentId: groupId(8) }, 'parentId', 'Default group (#1)', 'Servers (#8)'],
    [{ refreshIntervalMinutes: 250 }, 'refreshIntervalMinutes', '24 hours', '250 minutes'],
    [
      { color: 'utah clay' },
      'color',
      '#123456 (Pine Green in the management service)',
      '#D78500 (Utah Clay in the management service)',
    ],
    [{ notes: '' }, 'notes', 'x', 'none'],
    [{ osAutoUpdate: null }, 'osAutoUpdate', 'on', 'the device’s own setting'],
    [{ wsus: { enabled: false } }, 'wsus', 'WSUS, server http://w:1', 'the Windows update service'],
    [
      { wsus: { enabled: true, server: 'http://v:2' } },
      'wsus',
      'WSUS, server http://w:1',
      'WSUS, server http://v:2',
    ],
    [{ wsus: { enabled: true } }, 'wsus', 'WSUS, server http://w:1', 'WSUS, server http://w:1'],
    [{ policyIds: [policyId(3)] }, 'policyIds', 'none', 'Patch all (#3)', differs(['Patch all (#3)'], [])],
  ])('of a group: %j', (change, field, before, after, more = {}) => {
    const edit = { kind: 'group-edit', groupId: groupId(5), change } as const;
    expect(fieldChanges(edit, group)).toEqual([{ field, before, after, ...more }]);
    expect(editedFields(edit)).toEqual([field]);
  });

  it('of a new group have no earlier value', () => {
    const wanted = { name: 'Web', parentId: groupId(8), refreshIntervalMinutes: 720 };
    const facts = { ...group, groupId: null, group: null };
    expect(fieldChanges({ kind: 'group-create', group: wanted }, facts)).toEqual([
      { field: 'name', before: null, after: 'Web' },
      { field: 'parentId', before: null, after: 'Servers (#8)' },
      { field: 'refreshIntervalMinutes', before: null, after: '12 hours' },
    ]);
  });

  it.each<[PolicyChange, string, string, string, object?]>([
    [{ name: 'Nightly' }, 'name', 'Patch all', 'Nightly'],
    [{ notes: '' }, 'notes', 'none', 'none'],
    [
      { groupIds: [groupId(10)] },
      'groupIds',
      'Servers (#9)',
      'Kiosks (#10)',
      differs(['Kiosks (#10)'], ['Servers (#9)']),
    ],
    [{ days: 62 }, 'days', 'every day', 'Monday to Friday'],
    [{ days: 0 }, 'days', 'every day', 'none (runs only by hand)'],
    [{ weeksOfMonth: 10 }, 'weeksOfMonth', 'every week', 'first and third'],
    [{ months: 8 }, 'months', 'every month', 'March'],
    [{ time: '03:30' }, 'time', '02:00', '03:30'],
    [{ timezone: 'UTC+0100' }, 'timezone', 'each device’s own time', 'UTC+0100'],
    [{ settings: { autoReboot: true } }, 'autoReboot', 'off', 'on'],
    [{ settings: { notifyPending: false } }, 'notifyPending', 'not set', 'off'],
    [{ settings: { deferrals: 0 } }, 'deferrals', '3', '0'],
    [{ settings: { deferralHours: [8, 2] } }, 'deferralHours', '1, 4 and 8 hours', '2 and 8 hours'],
    [{ settings: { timeout: 30 } }, 'timeout', 'not set', '30 minutes'],
    [{ settings: { patchText: 'Save!' } }, 'patchText', 'not set', 'Save!'],
  ])('of a policy: %j', (change, field, before, after, more = {}) => {
    const edit = { kind: 'policy-edit', policyId: policyId(3), change } as const;
    const groups = [{ id: groupId(10), name: 'Kiosks', devices: 4 }];
    expect(fieldChanges(edit, aPolicyToEdit({ groups }))).toEqual([{ field, before, after, ...more }]);
    expect(editedFields(edit)).toEqual([field]);
  });

  it('of a new policy say what it installs, and where', () => {
    const edit = {
      kind: 'policy-create',
      policy: { name: 'Nightly', severities: ['critical', 'high'], groupIds: [groupId(10)], days: 0 },
    } as const;
    const facts = aPolicyToEdit({
      policyId: null,
      current: null,
      groups: [{ id: groupId(10), name: 'Kiosks', devices: 4 }],
    });
    expect(fieldChanges(edit, facts)).toEqual([
      { field: 'name', before: null, after: 'Nightly' },
      { field: 'severities', before: null, after: 'only critical and high severity' },
      { field: 'groupIds', before: null, after: 'Kiosks (#10)' },
      { field: 'days', before: null, after: 'none (runs only by hand)' },
    ]);
  });

  it('are empty for a thing of another kind', () => {
    expect(
      fieldChanges({ kind: 'policy-edit', policyId: policyId(3), change: { name: 'x' } }, group),
    ).toEqual([]);
    expect(fieldChanges({ kind: 'device-edit', change: { customName: 'x' } }, group)).toEqual([]);
    expect(fieldChanges({ kind: 'group-edit', groupId: groupId(5), change: { name: 'x' } }, device)).toEqual(
      [],
    );
  });
});

it('edits differ from commands, and edits of groups from edits of devices', () => {
  const edits = [
    { kind: 'device-edit', change: {} },
    { kind: 'group-edit', groupId: groupId(5), change: {} },
    { kind: 'scan' },
    { kind: 'device-remove' },
    { kind: 'group-remove', groupId: groupId(5) },
    { kind: 'policy-edit', policyId: policyId(3), change: {} },
  ] as const;
  expect(edits.map(isEdit)).toEqual([true, true, false, false, false, true]);
  expect(edits.map(isRemoval)).toEqual([false, false, false, true, true, false]);
  expect(edits.map(changesRecord)).toEqual([true, true, false, true, true, true]);
  expect(edits.map(recordKindOf)).toEqual(['device', 'group', 'device', 'device', 'group', 'policy']);
});

it('an approver sees the facts of the record and those read in addition', () => {
  const besides = { groupName: 'Linux servers', packages: somePackages('openssl'), asOf: START };
  expect(toDeviceFacts(aDevice(), besides)).toEqual(
    someFacts({ packages: somePackages('openssl'), tags: ['web'] }),
  );
  expect(toDeviceFacts(aDevice({ customName: 'Front desk' }), besides)).toMatchObject({
    hostname: 'web-01',
    displayName: 'Front desk',
  });
});

it.each([
  [{ exception: true }, { exception: true }],
  [{ deferrals: { ...aDevice().deferrals, patchDeferrals: 2 } }, { deferred: true }],
  [{ deferrals: { ...aDevice().deferrals, rebootDelayedByUser: true } }, { deferred: true }],
])('what is unusual is a fact: %o', (device, fact) => {
  const besides = { groupName: 'Linux servers', packages: [], asOf: START };
  expect(toDeviceFacts(aDevice(device), besides)).toEqual({ ...someFacts(), tags: ['web'], ...fact });
});

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
          aQueueEntry({ id: queueEntryId(2), type: 'GetOS', response: aResponse(0) }),
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
