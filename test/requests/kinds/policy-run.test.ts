import { describe, expect, it } from 'vitest';
import { POLICY_ACTION } from '../../../src/fleet/model/event-kinds.ts';
import type { FleetEvent } from '../../../src/fleet/model/resources.ts';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { policyTest, remediate } from '../proof/scenes.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const line = madePerTest(createRequestsSetup);

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
    expect(line.fleet.world.posts).toEqual([policyTest]);
  });

  it('reads the events of that policy before it is sent and after, and the rules itself before', async () => {
    await line.start(policyTest);
    line.fleet.world.reads = [];
    await line.settle();
    expect(line.fleet.world.reads).toEqual(['device', 'queue', 'events of policy 12', 'policy']);
    await line.pass(5 * SECOND);
    expect(line.fleet.world.reads.slice(4)).toEqual(['device', 'queue', 'events of policy 12']);
  });

  it('of two policies runs side by side on one device, and twice of one policy not', async () => {
    line.fleet.world.fate = 'accept-unlisted';
    const other = { ...policyTest, policyId: policyId(13) };
    const [one, two] = [await line.start(policyTest), await line.start(other)];
    const last = await line.start(policyTest);
    const ids = [one, two, last];
    await line.settle();
    const states = await Promise.all(ids.map(async (id) => (await line.targetOf(id)).state));
    expect(states).toEqual(['accepted', 'accepted', 'not_sent']);
    expect(line.fleet.world.posts).toEqual([policyTest, other]);
    expect(await line.targetOf(last)).toMatchObject({ evidence: [{ kind: 'under-way' }] });
  });
});

describe('the remediation of a policy', () => {
  it('that never stands in the queue is verified by its event', async () => {
    line.fleet.world.fate = 'accept-unlisted';
    act(0);
    const request = await line.ask(remediate);
    await line.approve(request);
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'accepted',
      before: { policy: { status: null, statusTime: null, lastEventId: 1 } },
    });
    act(0);
    await line.pass(MINUTE);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'verified',
      queueEntryId: null,
      evidence: [{ kind: 'policy-ran', policy: { id: 12, name: null }, exitCode: 0 }],
    });
  });

  it('that ends with another exit code is not verified', async () => {
    line.fleet.world.fate = 'accept-unlisted';
    const request = await line.approved(remediate);
    act(3, { text: 'password=hunter2' });
    await line.pass(MINUTE);
    const target = await line.targetFor(request);
    expect(target.state).toBe('not_verified');
    expect(target.evidence).toMatchObject([{ kind: 'policy-failed', exitCode: 3 }]);
    expect(JSON.stringify(target)).not.toContain('hunter2');
  });

  it('goes back to the approver when the device is up to date by then', async () => {
    const standing = (status: number) => ({
      policyId: policyId(12),
      policyName: 'Harden SSH',
      policyType: 'custom',
      status,
      result: null,
      createTime: line.clock.now(),
      nextRemediation: null,
      willReboot: null,
      pendingCount: null,
    });
    line.fleet.change({ policyStatuses: [standing(0)] });
    const request = await line.ask(remediate);
    expect(await line.targetFor(request)).toMatchObject({
      facts: { policy: { name: 'Harden SSH', type: 'custom', status: 0, digest: 'decade' } },
    });
    line.fleet.change({ policyStatuses: [standing(1)] });
    await line.approve(request);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({
      state: 'waiting',
      note: { changes: [{ field: 'policy.status', now: 1 }] },
    });
    expect(line.fleet.world.posts).toEqual([]);
  });
});
