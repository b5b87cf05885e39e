import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/lib/clock.ts';
import { groupId, organizationId, policyId } from '../../src/lib/ids.ts';
import type { ApprovalRecord } from '../../src/store/port/records.ts';
import { aPolicy } from '../harness/builders.ts';
import { type ActingSetup, ALICE, BOB, createActingSetup } from '../operations/acting-setup.ts';
import { anError, aPackage } from '../operations/simulated-fleet.ts';

let line: ActingSetup;

beforeEach(async () => {
  line = await createActingSetup();
});

afterEach(() => line.close());
const reboot = { kind: 'reboot' } as const;

async function targetsOf({ operationId }: ApprovalRecord) {
  const operation = operationId && (await line.store.operations.get(operationId));
  return operation?.targets;
}

describe('what was approved is what runs', () => {
  it.each([
    ['went offline', () => line.fleet.change({ connected: false }), 'web-01 is now offline'],
    ['was renamed', () => line.fleet.change({ name: 'db-01' }), 'the hostname of web-01 is now “db-01”'],
    ['moved', () => line.fleet.change({ groupId: groupId(10) }), 'moved from group “Servers”'],
    [
      'needs no reboot any more',
      () => line.fleet.change({ needsReboot: false }),
      'no longer requires a reboot',
    ],
    ['was away since', () => line.fleet.change({ lastDisconnectTime: line.clock.now() }), 'is back online'],
    ['is called otherwise', () => line.fleet.change({ customName: 'shop' }), 'is now named “shop”'],
    [
      'has somebody else on it',
      () => line.fleet.change({ lastLoggedInUser: 'dave' }),
      'someone else logged in',
    ],
  ])('a device that %s goes back to the approver, and nothing is sent', async (_what, change, words) => {
    const before = await line.approveAfter(change);
    const after = await line.approvalNow(before);
    expect(after).toMatchObject({ state: 'waiting', decidedBy: null, operationId: null, approvedBy: BOB });
    expect(after.note).toContain('Not sent: the device changed since the request — ');
    expect(after.note).toContain(words);
    expect(after.seal).not.toBe(before.seal);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('the old card cannot approve the new facts, the new card can', async () => {
    const before = await line.approveAfter(() => line.fleet.change({ connected: false }));
    expect(await line.approve(before)).toEqual({ kind: 'stale-card' });
    expect(await line.approve(await line.approvalNow(before))).toMatchObject({ kind: 'approved' });
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('a returned request has thirty minutes of its own', async () => {
    const approval = await line.ask(reboot);
    line.fleet.change({ connected: false });
    await line.pass(29 * MINUTE);
    await line.approve(approval);
    await line.pass(29 * MINUTE);
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'waiting' });
    await line.pass(MINUTE);
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'expired' });
  });

  it('a package that is no longer missing goes back for a patch', async () => {
    const approval = await line.ask({ kind: 'patch', packages: ['curl', 'openssl'] });
    line.fleet.install('curl');
    await line.approve(approval);
    await line.settle();
    const after = await line.approvalNow(approval);
    expect(after.note).toContain('is no longer missing the requested package curl');
    expect(after.targets).toMatchObject([{ missing: ['openssl'] }]);
  });

  it('a policy that would run something else goes back for a remediation', async () => {
    const policy = aPolicy({ id: policyId(12), type: 'custom', digest: 'decade' });
    line.fleet.change({ policies: [policy] });
    const before = await line.ask({ kind: 'policy-remediate', policyId: policy.id });
    line.fleet.change({ policies: [{ ...policy, digest: 'c0ffee' }] });
    await line.approve(before);
    await line.settle();
    const after = await line.approvalNow(before);
    expect(after).toMatchObject({ state: 'waiting', decidedBy: null, operationId: null });
    expect(after.note).toContain('the configuration or schedule of Apply All Patches (policy 12) changed');
    expect(after.seal).not.toBe(before.seal);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('another missing package matters for a full patch and not for a named one', async () => {
    const [all, one] = [
      await line.ask({ kind: 'patch-all' }),
      await line.ask({ kind: 'patch', packages: ['curl'] }),
    ];
    line.fleet.world.packages = [...line.fleet.world.packages, aPackage('zlib')];
    await line.approve(all);
    await line.approve(one);
    await line.settle();
    expect(await line.approvalNow(all)).toMatchObject({ state: 'waiting' });
    expect(line.fleet.world.posts).toEqual([{ kind: 'patch', packages: ['curl'] }]);
  });

  it.each([
    ['is gone', () => Object.assign(line.fleet.world, { device: null })],
    ['belongs to another organization', () => line.fleet.change({ organizationId: organizationId(1) })],
  ])('a device that %s leaves nothing to ask', async (_what, change) => {
    const after = await line.approvalNow(await line.approveAfter(change));
    expect(after).toMatchObject({ state: 'approved', decidedBy: BOB, note: null });
    expect(await line.store.cards.get(`told:approval:${after.id}`)).toMatchObject({
      channel: after.requesterId,
    });
    const evidence = 'Not sent: the device no longer exists in the management service.';
    expect(await targetsOf(after)).toMatchObject([{ state: 'not_sent', evidence, endCause: 'gone' }]);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('a returned request ends unsent when another one waits for the same', async () => {
    const first = await line.ask(reboot);
    await line.approve(first);
    line.fleet.change({ connected: false });
    const second = await line.ask(reboot);
    await line.settle();
    expect(await line.approvalNow(second)).toMatchObject({ state: 'waiting' });
    const after = await line.approvalNow(first);
    expect(after).toMatchObject({ state: 'approved', decidedBy: BOB });
    const evidence = expect.stringMatching(
      /^Not sent: .* Another request for the same change is already waiting\.$/,
    );
    expect(await targetsOf(after)).toMatchObject([{ state: 'not_sent', evidence }]);
  });
});

describe('a service that cannot be read before sending', () => {
  const down = anError('unreachable', null);

  it('is tried again, and the command is sent once when it returns', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval);
    line.fleet.world.readError = down;
    await line.pass(MINUTE);
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'approved', operationId: null });
    line.fleet.world.readError = null;
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('ends the request when it is too late, and says that nothing was sent', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval);
    line.fleet.world.readError = down;
    await line.pass(15 * MINUTE);
    expect(await line.approvalNow(approval)).toMatchObject({ state: 'approved' });
    expect(await line.targetFor(approval)).toMatchObject({
      state: 'not_sent',
      evidence:
        'Not sent: too late. It could not be checked in time, because the management service could not be reached.',
    });
    line.fleet.world.readError = null;
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is called no sooner than it allows', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval);
    const error = { ...anError('timeout', 429), kind: 'throttled', retryAfterMs: 90 * SECOND } as const;
    line.fleet.world.readError = error;
    await line.settle();
    const { length } = line.fleet.world.reads;
    await line.pass(89 * SECOND);
    expect(line.fleet.world.reads).toHaveLength(length);
    await line.pass(SECOND);
    expect(line.fleet.world.reads.length).toBeGreaterThan(length);
  });
});

describe('the operation', () => {
  it('carries the command, its requester and the facts before, and is named by the approval', async () => {
    line.fleet.enqueue({ kind: 'scan' });
    const approval = await line.approveAfter(() => {});
    const { operationId } = await line.approvalNow(approval);
    const operation = operationId === null ? null : await line.store.operations.get(operationId);
    expect(operation).toMatchObject({ approvalId: approval.id, command: reboot, requesterId: ALICE });
    expect(operation?.targets[0]?.before).toMatchObject({ connected: true, uptime: 5000, queueIds: [501] });
  });
});
