import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { groupId, organizationId, policyId } from '../../../src/lib/ids.ts';
import { aPolicy } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { anError, aPackage } from '../fleet-builders.ts';
import { BOB, createRequestsSetup } from '../requests-setup.ts';

const line = madePerTest(createRequestsSetup);

const reboot = { kind: 'reboot' } as const;
const down = anError('unreachable', null);

describe('what was approved is what runs', () => {
  it.each([
    [
      'went offline',
      () => line.fleet.change({ connected: false }),
      { field: 'connected', was: true, now: false },
    ],
    [
      'moved',
      () => line.fleet.change({ groupId: groupId(10) }),
      { field: 'groupId', was: 'Servers (#9)', now: 'Servers (#10)' },
    ],
    [
      'has somebody else on it',
      () => line.fleet.change({ lastLoggedInUser: 'dave' }),
      { field: 'lastLoggedInUser', was: null, now: null },
    ],
  ])('a device that %s goes back to the approver, and nothing is sent', async (_what, change, drift) => {
    const before = await line.approved({ kind: 'reboot' }, change);
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', decidedBy: null, startedAt: null, approvedBy: BOB });
    expect(after.note).toMatchObject({ kind: 'drifted', subject: 'device', changes: [drift], more: 0 });
    expect(after.seal).not.toBe(before.seal);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('the old card cannot approve the new facts, the new card can', async () => {
    const before = await line.approved({ kind: 'reboot' }, () => line.fleet.change({ connected: false }));
    expect(await line.approve(before)).toEqual({ kind: 'refused', refusal: { kind: 'stale-card' } });
    expect(await line.approve(await line.requestNow(before))).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('a returned request has thirty minutes of its own', async () => {
    const request = await line.ask(reboot);
    line.fleet.change({ connected: false });
    await line.pass(29 * MINUTE);
    await line.approve(request);
    await line.pass(29 * MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting' });
    await line.pass(MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'expired' });
  });

  it('a package that is no longer missing goes back for a patch', async () => {
    const request = await line.ask({ kind: 'patch', packages: ['curl', 'openssl'] });
    line.fleet.install('curl');
    await line.approve(request);
    await line.settle();
    const after = await line.requestNow(request);
    expect(after.note).toMatchObject({
      changes: [{ field: 'packages', added: [], removed: ['curl'] }],
    });
    const facts = { packages: [{ name: 'openssl' }] };
    expect(await line.targetFor(after)).toMatchObject({ state: 'ready', facts });
  });

  it('a policy that would run something else goes back for a remediation', async () => {
    const policy = aPolicy({ id: policyId(12), type: 'custom', digest: 'decade' });
    line.fleet.change({ policies: [policy] });
    const before = await line.ask({ kind: 'policy-remediate', policyId: policy.id });
    line.fleet.change({ policies: [{ ...policy, digest: 'c0ffee' }] });
    await line.approve(before);
    await line.settle();
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', decidedBy: null, startedAt: null });
    expect(after.note).toMatchObject({
      subject: 'device-or-policy',
      changes: [{ field: 'policy.digest', name: 'Apply All Patches (#12)' }],
    });
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
    expect(await line.requestNow(all)).toMatchObject({ state: 'waiting' });
    expect(line.fleet.world.posts).toEqual([{ kind: 'patch', packages: ['curl'] }]);
  });

  it.each([
    ['is gone', () => Object.assign(line.fleet.world, { device: null })],
    ['belongs to another organization', () => line.fleet.change({ organizationId: organizationId(1) })],
  ])('a device that %s leaves nothing to ask', async (_what, change) => {
    const after = await line.requestNow(await line.approved({ kind: 'reboot' }, change));
    expect(after).toMatchObject({ state: 'ended', decidedBy: BOB, note: null, startedAt: null });
    expect(await line.store.cards.get(`told:approval:${after.id}`)).toMatchObject({
      channel: after.requesterId,
    });
    const evidence = [{ kind: 'gone', thing: 'device' }];
    expect(await line.targetsOf(after.id)).toMatchObject([{ state: 'not_sent', evidence }]);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('a returned request ends unsent when another one waits for the same', async () => {
    const first = await line.ask(reboot);
    await line.approve(first);
    line.fleet.change({ connected: false });
    const second = await line.ask(reboot);
    await line.settle();
    expect(await line.requestNow(second)).toMatchObject({ state: 'waiting' });
    const after = await line.requestNow(first);
    expect(after).toMatchObject({ state: 'ended', decidedBy: BOB });
    const evidence = [{ kind: 'drifted', changes: [{ field: 'connected' }] }, { kind: 'request-waiting' }];
    expect(await line.targetsOf(after.id)).toMatchObject([{ state: 'not_sent', evidence }]);
  });
});

describe('a service that cannot be read before sending', () => {
  it('is tried again, and the command is sent once when it returns', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    line.fleet.world.readError = down;
    await line.pass(MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'approved', startedAt: null });
    expect(await line.targetFor(request)).toMatchObject({
      state: 'ready',
      evidence: [{ kind: 'not-read-yet', error: { kind: 'unreachable' } }],
    });
    line.fleet.world.readError = null;
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([reboot]);
    expect((await line.targetFor(request)).evidence).not.toMatchObject([{ kind: 'not-read-yet' }]);
  });

  it('ends the request when it is too late, and says that nothing was sent', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    line.fleet.world.readError = down;
    await line.pass(15 * MINUTE);
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended' });
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'unread', error: { kind: 'unreachable' } }],
    });
    line.fleet.world.readError = null;
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([]);
  });

  it('is called no sooner than it allows', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
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

describe('a request that runs', () => {
  it('stores the baseline, and ends with its last target', async () => {
    line.fleet.enqueue({ kind: 'scan' });
    const request = await line.approved({ kind: 'reboot' });
    expect(await line.requestNow(request)).toMatchObject({
      state: 'running',
      startedAt: line.clock.now(),
      endedAt: null,
      counts: { accepted: 1, open: 1 },
    });
    expect(await line.targetFor(request)).toMatchObject({
      before: { connected: true, uptime: 5000, queueIds: [501] },
    });
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(MINUTE);
    const ended = await line.requestNow(request);
    expect(ended).toMatchObject({ state: 'ended', counts: { verified: 1 } });
    expect(ended.counts).not.toHaveProperty('open');
    expect(ended.endedAt).toBe((await line.targetFor(request)).endedAt);
  });

  it('has no start when nothing was claimed', async () => {
    const id = await line.start({ kind: 'scan' });
    line.fleet.world.readError = down;
    await line.pass(15 * MINUTE);
    const request = await line.requestNow({ id });
    expect(request).toMatchObject({ state: 'ended', startedAt: null, counts: { not_sent: 1 } });
  });

  it('says once on its card that the service cannot be read, however often it is tried', async () => {
    const id = await line.start({ kind: 'scan' });
    line.fleet.world.readError = down;
    await line.pass(MINUTE);
    expect(line.fleet.world.reads.length).toBeGreaterThan(3);
    expect(await line.store.cards.get(`operation:${id}`)).toMatchObject({ wantedRevision: 2 });
  });

  it('says so also on the card of what was approved', async () => {
    const request = await line.ask(reboot);
    await line.approve(request);
    line.fleet.world.readError = down;
    const revision = async () => (await line.store.cards.get(`approval:${request.id}`))?.wantedRevision ?? 0;
    const before = await revision();
    await line.pass(MINUTE);
    expect(line.fleet.world.reads.length).toBeGreaterThan(3);
    expect(await revision()).toBe(before + 1);
  });
});
