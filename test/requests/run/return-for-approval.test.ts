/** Returned requests for several devices: the facts of the remaining devices, and a short note. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { policyId } from '../../../src/lib/ids.ts';
import { createPauseSwitch } from '../../../src/requests/decide/pause-switch.ts';
import { aPolicy } from '../../harness/builders.ts';
import { APPROVALS, BOB, createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const reboot = { kind: 'reboot' } as const;

let line: RequestsSetup;
beforeEach(async () => {
  line = await createRequestsSetup();
});
afterEach(() => line.close());

describe('a returned request for several devices', () => {
  it('no longer includes a device that is gone', async () => {
    const request = await line.ask(reboot, line.fleet.addDevices(2));
    await line.approve(request);
    line.fleet.world.others = line.fleet.world.others.slice(1);
    await line.settle();
    const returned = await line.requestNow(request);
    expect(returned).toMatchObject({
      state: 'waiting',
      note: { subject: 'devices', changes: [{ kind: 'gone', name: 'node-1001' }], more: 0 },
      counts: { ready: 2, open: 2 },
    });
    expect(await line.targetsOf(request.id)).toMatchObject([
      { position: 0, deviceId: 42 },
      { position: 1, deviceId: 1002 },
    ]);
    await line.approve(returned);
    await line.settle();
    expect(line.fleet.world.postedTo).toEqual([42, 1002]);
  });

  it('lists twelve changes and counts the others', async () => {
    const devices = line.fleet.addDevices(19);
    const request = await line.ask(reboot, devices);
    await line.approve(request);
    for (const device of devices) line.fleet.change({ connected: false }, device);
    await line.settle();
    const { note } = await line.requestNow(request);
    expect(note).toMatchObject({ kind: 'drifted', more: 8 });
    expect(note?.kind === 'drifted' ? note.changes : []).toHaveLength(12);
  });

  it('lists the change of a policy once', async () => {
    const policy = aPolicy({ id: policyId(12), name: 'Harden SSH', type: 'custom', digest: 'decade' });
    line.fleet.change({ policies: [policy] });
    const request = await line.ask(
      { kind: 'policy-remediate', policyId: policy.id },
      line.fleet.addDevices(3),
    );
    await line.approve(request);
    line.fleet.change({ policies: [{ ...policy, digest: 'c0ffee' }] });
    await line.settle();
    const { note } = await line.requestNow(request);
    expect(note).toMatchObject({
      kind: 'drifted',
      subject: 'device-or-policy',
      changes: [{ field: 'policy.digest', name: 'Harden SSH (#12)' }],
      more: 0,
    });
  });
});

it('a request from before, whose facts are not known, ends when changes are paused, and says why', async () => {
  const request = await line.ask(reboot);
  await line.approve(request);
  const [target] = await line.targetsOf(request.id);
  if (target === undefined) throw new Error('no target');
  await line.store.targets.reset(request.id, [{ ...target, facts: null }]);
  const { store, clock } = line;
  const pause = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
  await pause.begin(BOB, 'an incident');
  await line.settle();
  expect(await line.targetFor(request)).toMatchObject({
    state: 'not_sent',
    evidence: [{ kind: 'paused', reason: 'an incident' }],
  });
});
