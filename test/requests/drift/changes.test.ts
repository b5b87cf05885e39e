/** What each change between the card and the call is called, and which are none. */
import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import { driftOf } from '../../../src/requests/kinds/kinds.ts';
import type { Drift } from '../../../src/store/port/evidence.ts';
import type { DeviceFacts, GroupFacts, TargetFacts } from '../../../src/store/port/records.ts';
import { aDeviceToEdit, aFact, aGroupToEdit, aPolicyToEdit, NOW } from '../builders.ts';
import { device, editable, groupRemoval, PACKAGE, POLICY, policy } from './full-facts.ts';

const reboot = { kind: 'reboot' } as const;
const patch = { kind: 'patch', packages: ['curl'] } as const;
const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
const move = { kind: 'device-edit', change: { groupId: groupId(10) } } as const;
const tag = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: [] } } } as const;
const groupEdit = {
  kind: 'group-edit',
  groupId: groupId(5),
  change: { parentId: groupId(8), policyIds: [policyId(12)] },
} as const;
const groupRemove = { kind: 'group-remove', groupId: groupId(5) } as const;
const policyEdit = {
  kind: 'policy-edit',
  policyId: policyId(3),
  change: { time: '03:00', settings: { autoReboot: true } },
} as const;
const schedule = { days: 254, weeksOfMonth: 62, months: 8_190, time: '04:00', timezone: 'device' };
const of = (change: Partial<DeviceFacts>) => aFact({ ...device, ...change });
const group = (policies: GroupFacts['policies'], change: Partial<GroupFacts> = {}) =>
  aGroupToEdit({ policies, ...change });
const removed = (change: Partial<typeof groupRemoval>) =>
  aGroupToEdit({ removal: { ...groupRemoval, ...change } });
const kiosk = { id: deviceId(7), name: 'kiosk-07' };

type Row = readonly [string, FleetAction, TargetFacts, TargetFacts, readonly Partial<Drift>[]];
const ROWS: readonly Row[] = [
  [
    'a reboot that is no longer required',
    reboot,
    of({}),
    of({ needsReboot: false }),
    [{ field: 'needsReboot' }],
  ],
  ['a reboot that is required now', reboot, of({ needsReboot: false }), of({}), []],
  ['a reboot of which nobody says whether it is required', reboot, of({}), of({ needsReboot: null }), []],
  [
    'a disconnect, and a return',
    reboot,
    of({}),
    of({ lastDisconnectTime: later(NOW, MINUTE) }),
    [{ field: 'lastDisconnectTime', now: later(NOW, MINUTE) }],
  ],
  [
    'a first disconnect, and a return',
    reboot,
    of({ lastDisconnectTime: null }),
    of({ lastDisconnectTime: later(NOW, 1) }),
    [{ field: 'lastDisconnectTime' }],
  ],
  ['an earlier disconnect', reboot, of({ lastDisconnectTime: null }), of({ lastDisconnectTime: NOW }), []],
  [
    'a disconnect that lasts',
    reboot,
    of({}),
    of({ lastDisconnectTime: later(NOW, 1), connected: false }),
    [{ field: 'connected', was: true, now: false }],
  ],
  [
    'a disconnect that matters to no other command',
    patch,
    of({}),
    of({ lastDisconnectTime: later(NOW, 1) }),
    [],
  ],
  [
    'another hostname, by which it is shown',
    reboot,
    of({}),
    of({ hostname: 'db-01', displayName: 'db-01' }),
    [{ field: 'hostname', was: 'web-01', now: 'db-01' }],
  ],
  ['a system that is not named for a moment', patch, of({}), of({ osName: null, osVersion: null }), []],
  [
    'a group that cannot be named',
    reboot,
    of({}),
    of({ groupId: groupId(10), groupName: null }),
    [{ field: 'groupId', was: 'Servers (#9)', now: '#10 (name unknown)' }],
  ],
  ['exclusion from reports', reboot, of({}), of({ exception: true }), [{ field: 'exception' }]],
  [
    'packages that are missing, and that are not any more',
    { kind: 'patch-all' },
    of({}),
    of({
      missing: ['zlib', 'bash', 'zlib'],
      packages: [
        { ...PACKAGE, name: 'bash' },
        { ...PACKAGE, name: 'zlib' },
      ],
    }),
    [{ kind: 'listed', field: 'missing', added: ['bash', 'zlib'], removed: ['curl'] }],
  ],
  [
    'all that is known of a package',
    patch,
    of({}),
    of({
      packages: [
        { ...PACKAGE, version: '8.2', severity: null, cves: ['CVE-2', 'CVE-1'], requiresReboot: true },
      ],
    }),
    [
      { item: 'curl', field: 'packages.version', was: '8.1', now: '8.2' },
      { item: 'curl', field: 'packages.severity', was: 'low', now: '' },
      { item: 'curl', field: 'packages.cves', was: 'CVE-1', now: 'CVE-1, CVE-2' },
      { item: 'curl', field: 'packages.requiresReboot', was: false, now: true },
    ],
  ],
  [
    'which version of a package is the severe one',
    patch,
    of({ packages: [PACKAGE, { ...PACKAGE, version: '9', severity: 'high' }] }),
    of({
      packages: [
        { ...PACKAGE, severity: 'high' },
        { ...PACKAGE, version: '9' },
      ],
    }),
    [{ field: 'packages', item: null }],
  ],
  ['a remediation that is pending', remediate, of({ policy }), of({ policy: { ...policy, status: 2 } }), []],
  [
    'rules that are met, and run something else',
    remediate,
    of({ policy }),
    of({ policy: { ...policy, status: 1, digest: 'b' } }),
    [
      { name: 'web-01', field: 'policy.status', was: 0, now: 1 },
      { name: 'Harden SSH (#12)', field: 'policy.digest', was: null, now: null },
    ],
  ],
  [
    'what nobody can see the same policy run',
    remediate,
    of({ policy: { ...policy, digest: null } }),
    of({ policy: { ...policy, digest: null } }),
    [{ kind: 'policy-hidden', policy: 'Harden SSH' }],
  ],
  [
    'what nobody can see any more',
    remediate,
    of({ policy }),
    of({ policy: { ...policy, digest: null } }),
    [{ kind: 'policy-hidden', policy: 'Harden SSH' }],
  ],
  [
    'the policies that a device gets with its group',
    move,
    aDeviceToEdit(device, editable),
    aDeviceToEdit(device, { policies: [{ ...POLICY, id: policyId(13) }] }),
    [{ field: 'editable.policies', added: ['Harden SSH (#13)'], removed: ['Harden SSH (#12)'] }],
  ],
  [
    'what such a policy runs',
    move,
    aDeviceToEdit(device, editable),
    aDeviceToEdit(device, { policies: [{ ...POLICY, digest: 'b' }] }),
    [{ field: 'editable.policies.digest', item: 'Harden SSH (#12)' }],
  ],
  [
    'where it goes',
    move,
    aDeviceToEdit(device),
    aDeviceToEdit(device, { intoGroup: null }),
    [{ field: 'editable.intoGroup', was: 'Laptops', now: '' }],
  ],
  [
    'what an edit does not name, or what does not matter to a record',
    move,
    aDeviceToEdit(device),
    aDeviceToEdit(
      { ...device, connected: false, lastLoggedInUser: 'dave', asOf: later(NOW, 9) },
      { tags: ['new'] },
    ),
    [],
  ],
  [
    'a custom name, which an edit of tags does not name',
    tag,
    aDeviceToEdit(device),
    aDeviceToEdit({ ...device, displayName: 'shop' }, { customName: 'shop' }),
    [{ field: 'displayName', now: 'shop' }],
  ],
  [
    'its tags',
    tag,
    aDeviceToEdit(device),
    aDeviceToEdit(device, { tags: ['old', 'new'] }),
    [{ field: 'editable.tags', added: ['new'], removed: [] }],
  ],
  [
    'what a policy runs that a group gets',
    groupEdit,
    group([POLICY]),
    group([{ ...POLICY, digest: 'b' }]),
    [{ field: 'policies.digest', item: 'Harden SSH (#12)' }],
  ],
  [
    'a parent that is named otherwise',
    groupEdit,
    group([POLICY]),
    group([POLICY], { parentName: 'Attic' }),
    [{ field: 'parentName', was: 'Servers', now: 'Attic' }],
  ],
  [
    'more that goes with a group',
    groupRemove,
    removed({}),
    removed({
      devices: { count: 2, listed: [...groupRemoval.devices.listed, kiosk] },
      subgroups: [],
      policiesAfter: [],
    }),
    [
      { field: 'removal.policiesAfter', removed: ['Harden SSH (#12)'] },
      { field: 'removal.devices.count', was: 1, now: 2 },
      { field: 'removal.devices.listed', added: ['kiosk-07 (#7)'] },
    ],
  ],
  [
    'another device of as many',
    groupRemove,
    removed({}),
    removed({ devices: { count: 1, listed: [kiosk] } }),
    [{ field: 'removal.devices.listed', added: ['kiosk-07 (#7)'] }],
  ],
  [
    'less that goes with a group',
    groupRemove,
    removed({}),
    removed({ devices: { count: 0, listed: [] }, subgroups: [] }),
    [],
  ],
  [
    'which devices could be listed of too many',
    groupRemove,
    removed({ devices: { count: 900, listed: [] } }),
    removed({ devices: { count: 900, listed: [kiosk] } }),
    [],
  ],
  [
    'what a policy does, in words and in its digest',
    policyEdit,
    aPolicyToEdit(),
    aPolicyToEdit({}, { schedule, digest: 'decade' }),
    [{ field: 'current.schedule.time', was: '02:00', now: '04:00' }],
  ],
  [
    'a script, beside a note that the edit does not name',
    policyEdit,
    aPolicyToEdit(),
    aPolicyToEdit({}, { notes: 'x', digest: 'decade' }),
    [{ field: 'current.digest', name: 'Patch all' }],
  ],
  [
    'how many devices it reaches',
    policyEdit,
    aPolicyToEdit(),
    aPolicyToEdit({ devices: 34 }),
    [{ field: 'devices', was: 4, now: 34 }],
  ],
  [
    'the name',
    policyEdit,
    aPolicyToEdit(),
    aPolicyToEdit({ displayName: 'Nightly' }),
    [{ field: 'displayName' }],
  ],
];

describe('what changed since the card', () => {
  it.each(ROWS)('%s', (_what, action, before, after, expected) => {
    expect(driftOf(action, before, after)).toMatchObject(expected);
  });
});
