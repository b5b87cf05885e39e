import { describe, expect, it } from 'vitest';
import { packageFacts } from '../../../src/fleet/facts/facts.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { POLICY_ACTION } from '../../../src/fleet/model/event-kinds.ts';
import type { FleetEvent } from '../../../src/fleet/model/resources.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, groupId, organizationId, policyId } from '../../../src/lib/ids.ts';
import { readTarget, targetsPerCall } from '../../../src/requests/kinds/kinds.ts';
import { aPolicyStatus } from '../../harness/builders.ts';
import { somePackages } from '../../harness/records.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { aFact } from '../builders.ts';
import { DEVICE, ORGANIZATION } from '../fleet-builders.ts';
import { policyTest, remediate } from '../proof/scenes.ts';
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
    line.world.groups = [];
    expect(await read(action, null)).toBeNull();
  });

  it('reads the parent of a new group, whose name may be unknown', async () => {
    expect((await read(groupCreate, null))?.facts).toMatchObject({ parentName: 'Servers', twin: null });
    line.world.groups = [];
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
    line.world.reads = [];
    expect((await read({ kind: 'reboot' }, DEVICE))?.facts).toMatchObject({ packages: [] });
    expect(line.world.reads).toEqual(['device', 'queue']);
  });
});

const act = (exitCode: number, more: Partial<FleetEvent> = {}) =>
  line.fleet.happen({ name: POLICY_ACTION, policyId: policyId(12), exitCode, ...more });

describe('the test of a policy', () => {
  it('starts at once, waits in the queue, and is verified by what the rules said', async () => {
    const id = await line.start(policyTest);
    await line.pass(5 * SECOND);
    const waiting = await line.targetOf(id);
    line.fleet.answer(0);
    act(1);
    await line.pass(MINUTE);
    const done = await line.targetOf(id);
    expect([waiting.state, done.state]).toEqual(['queued', 'verified']);
    expect(done.evidence).toEqual([{ kind: 'policy-tested', policy: { id: 12, name: null }, exitCode: 1 }]);
    expect(line.world.posts).toEqual([policyTest]);
  });

  it('reads the events of that policy before it is sent and after, and the rules itself before', async () => {
    await line.start(policyTest);
    line.world.reads = [];
    await line.settle();
    expect(line.world.reads).toEqual(['device', 'queue', 'events of policy 12', 'policy']);
    await line.pass(5 * SECOND);
    expect(line.world.reads.slice(4)).toEqual(['device', 'queue', 'events of policy 12']);
  });

  it('of two policies runs side by side on one device, and twice of one policy not', async () => {
    line.world.fate = 'accept-unlisted';
    const other = { ...policyTest, policyId: policyId(13) };
    const [one, two] = [await line.start(policyTest), await line.start(other)];
    const last = await line.start(policyTest);
    const ids = [one, two, last];
    await line.settle();
    const states = await Promise.all(ids.map(async (id) => (await line.targetOf(id)).state));
    expect(states).toEqual(['accepted', 'accepted', 'not_sent']);
    expect(line.world.posts).toEqual([policyTest, other]);
    expect(await line.targetOf(last)).toMatchObject({ evidence: [{ kind: 'under-way' }] });
  });
});

describe('the remediation of a policy', () => {
  it('that never stands in the queue is verified by its event', async () => {
    line.world.fate = 'accept-unlisted';
    act(0);
    const request = await line.ask(remediate);
    await line.approve(request);
    await line.pass(MINUTE);
    const before = { policy: { status: null, statusTime: null, lastEventId: 1 } };
    expect(await line.targetFor(request)).toMatchObject({ state: 'accepted', before });
    act(0);
    await line.pass(MINUTE);
    const evidence = [{ kind: 'policy-ran', policy: { id: 12, name: null }, exitCode: 0 }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified', queueEntryId: null, evidence });
  });

  it('that ends with another exit code is not verified', async () => {
    line.world.fate = 'accept-unlisted';
    const request = await line.approved(remediate);
    act(3, { text: 'password=hunter2' });
    await line.pass(MINUTE);
    const target = await line.targetFor(request);
    expect(target.state).toBe('not_verified');
    expect(target.evidence).toMatchObject([{ kind: 'policy-failed', exitCode: 3 }]);
    expect(JSON.stringify(target)).not.toContain('hunter2');
  });

  it('goes back to the approver when the device is up to date by then', async () => {
    const standing = (status: number) =>
      aPolicyStatus({ status, result: null, createTime: line.clock.now() });
    line.fleet.change({ policyStatuses: [standing(0)] });
    const request = await line.ask(remediate);
    expect(await line.targetFor(request)).toMatchObject({
      facts: { policy: { name: 'Harden SSH', type: 'custom', status: 0, digest: 'decade' } },
    });
    line.fleet.change({ policyStatuses: [standing(1)] });
    await line.approve(request);
    await line.settle();
    const note = { changes: [{ field: 'policy.status', now: 1 }] };
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', note });
    expect(line.world.posts).toEqual([]);
  });
});

describe('patches of many devices', () => {
  const patchEach = { kind: 'patch-each', chosen: { severities: ['critical'], named: [] } } as const;

  it('sends each device the packages that were sealed with it, and proves those', async () => {
    const [first, second] = line.fleet.addDevices(1);
    if (first === undefined || second === undefined) throw new Error('two devices');
    const order = await line.order(patchEach, [first, second]);
    const [web, node] = order.proposal.targets;
    if (web?.deviceId == null || node?.deviceId == null) throw new Error('two devices');
    const known = packageFacts(line.world.packages.filter(({ installed }) => !installed));
    const openssl = packageFacts(line.world.packages.filter(({ name }) => name === 'openssl'));
    const targets = [
      { ...web, packages: openssl },
      { ...node, packages: known },
    ];
    const recorded = await line.requests.record({ ...order, proposal: { ...order.proposal, targets } });
    if (recorded.kind !== 'recorded') throw new Error('changes are paused');
    await line.approve(recorded.request);
    await line.settle();
    const chosen = patchEach.chosen;
    expect(line.world.posts).toEqual([
      { kind: 'patch', packages: ['openssl'], chosen },
      { kind: 'patch', packages: ['curl', 'openssl'], chosen },
    ]);
    line.fleet.install('openssl');
    line.fleet.clearQueue();
    line.world.queues = new Map();
    await line.pass(2 * MINUTE + SECOND);
    const [proven, open] = await line.targetsOf(recorded.request.id);
    expect(proven).toMatchObject({ state: 'verified' });
    expect(open?.endedAt).toBeNull();
    line.fleet.install('curl');
    await line.pass(2 * MINUTE);
    const { state, counts } = await line.requestNow(recorded.request);
    expect([state, counts]).toEqual(['ended', { verified: 2 }]);
  });

  it('collides with the same packages on the same device', async () => {
    const each = await line.ask(patchEach);
    const named = await line.ask({ kind: 'patch', packages: ['openssl', 'curl'] });
    line.world.fate = 'accept-unlisted';
    await line.approve(each);
    await line.settle();
    await line.approve(named);
    await line.settle();
    expect(line.world.posts).toHaveLength(1);
    const evidence = [{ kind: 'under-way' }];
    expect(await line.targetFor(named)).toMatchObject({ state: 'not_sent', evidence });
  });
});
