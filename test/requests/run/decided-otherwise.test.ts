/** A run whose request was decided otherwise between its reads and its claims. */
import { describe, expect, it } from 'vitest';
import { personId } from '../../../src/lib/ids.ts';
import { createPauseSwitch } from '../../../src/requests/decide/pause-switch.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { APPROVALS, createRequestsSetup } from '../requests-setup.ts';

const CAROL = personId('U_CAROL');
const reboot = { kind: 'reboot' } as const;

const line = madePerTest(createRequestsSetup);

/** Approves a reboot; during the run, while it reads this, `overtake` happens once. */
async function overtaken(reads: 'device' | 'queue', overtake: (request: RequestRecord) => Promise<void>) {
  const request = await line.ask(reboot);
  await line.approve(request);
  const { world } = line.fleet;
  world.holdRead = async () => {
    if (world.reads.at(-1) !== reads) return;
    world.holdRead = async () => {};
    await overtake(request);
  };
  return { request, result: await line.run(request.id) };
}

/** Another replica reads the device as offline and returns the request. */
async function returnRequest(request: RequestRecord): Promise<RequestRecord> {
  line.fleet.change({ connected: false });
  await line.run(request.id);
  const returned = await line.requestNow(request);
  expect(returned.state).toBe('waiting');
  return returned;
}

describe('a run whose request was returned and denied', () => {
  it('writes nothing, sends nothing and is done', async () => {
    const { request, result } = await overtaken('device', async (asked) => {
      const returned = await returnRequest(asked);
      line.fleet.change({ connected: true });
      await line.decide(returned, 'deny');
    });
    expect(result).toEqual({ kind: 'done' });
    expect(await line.requestNow(request)).toMatchObject({
      state: 'denied',
      startedAt: null,
      endedAt: null,
      counts: { ready: 1, open: 1 },
    });
    expect((await line.targetsOf(request.id)).map(({ state }) => state)).toEqual(['ready']);
    const { version } = await line.requestNow(request);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({ version });
    expect(await line.actions()).toEqual([
      'approval.requested',
      'approval.approved',
      'approval.sent-back',
      'approval.denied',
    ]);
    expect(line.fleet.world.posts).toEqual([]);
  });
});

describe('a run whose request was returned by a pause and denied', () => {
  it('ends nothing of it as unsent', async () => {
    const { store, clock } = line;
    const pause = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
    const { request, result } = await overtaken('device', async (asked) => {
      await pause.begin(CAROL, null);
      await line.run(asked.id);
      await pause.end(CAROL);
      const returned = await line.requestNow(asked);
      expect(returned).toMatchObject({ state: 'waiting', seal: asked.seal });
      await line.decide(returned, 'deny');
    });
    expect(result).toEqual({ kind: 'done' });
    expect(await line.requestNow(request)).toMatchObject({ state: 'denied', counts: { ready: 1, open: 1 } });
    expect(await line.actions()).not.toContain('operation.not_sent');
  });
});

describe('a run whose request was returned and approved with other facts', () => {
  it('claims nothing with the older facts; the next run sends once', async () => {
    const { request } = await overtaken('queue', async (asked) => {
      await line.approve(await returnRequest(asked));
    });
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.requestNow(request)).toMatchObject({
      state: 'approved',
      counts: { ready: 1, open: 1 },
    });
    expect(await line.targetFor(request)).toMatchObject({ facts: { connected: false } });
    await line.settle();
    expect(line.fleet.world.postedTo).toEqual([42]);
    expect(await line.targetFor(request)).toMatchObject({ facts: { connected: false } });
  });
});
