import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { deviceId, groupId, organizationId, policyId } from '../../../src/lib/ids.ts';
import { readTarget, targetsPerCall } from '../../../src/requests/kinds/kinds.ts';
import { somePackages } from '../../harness/records.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { aFact } from '../builders.ts';
import { DEVICE, ORGANIZATION } from '../fleet-builders.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const retag = { add: ['dmz'], remove: [] };
const ON_DEVICES: readonly FleetAction[] = [
  { kind: 'scan' },
  { kind: 'reboot' },
  { kind: 'patch', packages: ['openssl'] },
  { kind: 'patch-all' },
  { kind: 'policy-test', policyId: policyId(12) },
  { kind: 'policy-remediate', policyId: policyId(12) },
  { kind: 'device-remove' },
  { kind: 'device-edit', change: { retag } },
];
const groupCreate: FleetAction = {
  kind: 'group-create',
  group: { name: 'Web', parentId: groupId(9), refreshIntervalMinutes: 1440 },
};
const groupRemove: FleetAction = { kind: 'group-remove', groupId: groupId(9) };
const groupEdit: FleetAction = { kind: 'group-edit', groupId: groupId(9), change: { notes: 'new' } };

const line = madePerTest(createRequestsSetup);

const read = (action: FleetAction, device: number | null, organization = ORGANIZATION) =>
  readTarget(
    { reader: line.fleet.reader, clock: line.clock, groupName: async () => 'Servers' },
    {
      action,
      organizationId: organization,
      target: { deviceId: device === null ? null : deviceId(device), facts: aFact({ groupId: null }) },
      lane: 'person',
    },
  );

describe('targets per call', () => {
  it.each([...ON_DEVICES.slice(0, -1), groupCreate, groupEdit, groupRemove])(
    'are one for $kind',
    (action) => {
      expect(targetsPerCall(action, true)).toBe(1);
    },
  );

  it('are up to 500 when only tags change and the service takes several at once', () => {
    expect(targetsPerCall({ kind: 'device-edit', change: { retag } }, true)).toBe(500);
    expect(targetsPerCall({ kind: 'device-edit', change: { retag } }, false)).toBe(1);
    expect(targetsPerCall({ kind: 'device-edit', change: { retag, exception: true } }, true)).toBe(1);
    expect(targetsPerCall({ kind: 'device-edit', change: { tags: ['dmz'] } }, true)).toBe(1);
  });
});

describe('the read before a request or a claim', () => {
  it.each(ON_DEVICES)('reads the device of a $kind, if it exists in this organization', async (action) => {
    expect((await read(action, DEVICE))?.facts).toMatchObject({ deviceId: DEVICE, displayName: 'web-01' });
    expect(await read(action, 7)).toBeNull();
    expect(await read(action, DEVICE, organizationId(1))).toBeNull();
  });

  it.each([groupEdit, groupRemove])('reads the group of a $kind, if it exists', async (action) => {
    expect((await read(action, null))?.facts).toMatchObject({ deviceId: null, displayName: 'Servers' });
    line.fleet.world.groups = [];
    expect(await read(action, null)).toBeNull();
  });

  it('reads the parent of a new group, whose name may be unknown', async () => {
    expect((await read(groupCreate, null))?.facts).toMatchObject({ parentName: 'Servers', twin: null });
    line.fleet.world.groups = [];
    expect((await read(groupCreate, null))?.facts).toMatchObject({ parentName: null });
  });

  it('finds of a patch of many devices what was sealed with the device, and nothing newer', async () => {
    const sealed = aFact({ packages: somePackages('openssl', 'bash') });
    const subject = {
      organizationId: ORGANIZATION,
      target: { deviceId: DEVICE, facts: sealed },
      lane: 'person',
    } as const;
    const ports = { reader: line.fleet.reader, clock: line.clock, groupName: async () => 'Servers' };
    const found = await readTarget(ports, { ...subject, action: { kind: 'patch-each', chosen: null } });
    expect(found?.facts).toMatchObject({ packages: [{ name: 'openssl' }] });
  });

  it('reads packages only for a patch', async () => {
    const named = await read({ kind: 'patch', packages: ['openssl', 'bash', 'zlib'] }, DEVICE);
    expect(named?.facts).toMatchObject({ packages: [{ name: 'openssl' }] });
    const all = await read({ kind: 'patch-all' }, DEVICE);
    expect(all?.facts).toMatchObject({ packages: [{ name: 'curl' }, { name: 'openssl' }] });
    line.fleet.world.reads = [];
    expect((await read({ kind: 'reboot' }, DEVICE))?.facts).toMatchObject({ packages: [] });
    expect(line.fleet.world.reads).toEqual(['device', 'queue']);
  });
});
