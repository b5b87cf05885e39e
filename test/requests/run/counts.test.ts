/** After each transaction the counts of a request match its targets, and its state follows from them. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { personId, type RequestId } from '../../../src/lib/ids.ts';
import { createPauseSwitch } from '../../../src/requests/decide/pause-switch.ts';
import type { RequestState } from '../../../src/store/port/request-records.ts';
import type { Store, StoreTables } from '../../../src/store/port/store.ts';
import { countTargets } from '../../../src/store/tables/request-counts.ts';
import { APPROVALS, createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;

let line: RequestsSetup;
/** The states of each request, in order. */
let walked: Map<RequestId, RequestState[]>;

async function check(tables: StoreTables): Promise<void> {
  for (const request of await tables.requests.list({}, 10)) {
    const targets = await tables.targets.of(request.id);
    const counted = [...countTargets(targets)].filter(([, count]) => count > 0);
    expect(request.counts).toEqual(Object.fromEntries(counted));
    const isUndecided = request.state === 'waiting' || request.decidedAt === null;
    const isReady = targets.every(({ state }) => state === 'ready');
    const isOpen = targets.some(({ endedAt }) => endedAt === null);
    const running = isReady ? 'approved' : 'running';
    const expected = isOpen ? running : 'ended';
    if (!(isUndecided && request.expiresAt !== null)) expect(request.state).toBe(expected);
    expect(request.endedAt === null).toBe(request.state !== 'ended');
    const states = walked.get(request.id) ?? [];
    if (states.at(-1) !== request.state) walked.set(request.id, [...states, request.state]);
  }
}

/** A setup that checks all counts after each transaction. */
async function createCheckedSetup(options: Parameters<typeof createRequestsSetup>[0] = {}): Promise<void> {
  walked = new Map();
  const around = (store: Store): Store => ({
    ...store,
    transaction: async (job) => {
      const result = await store.transaction(job);
      await store.transaction(check);
      return result;
    },
  });
  line = await createRequestsSetup({ ...options, around });
}

const pauseNow = () => {
  const { store, clock } = line;
  const pause = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
  return pause.begin(personId('U_CAROL'), null);
};

describe('the counts of a request', () => {
  it('match from the first claim to the last proof', async () => {
    await createCheckedSetup();
    const request = await line.ask(reboot, line.fleet.addDevices(9));
    await line.approve(request);
    await line.settle();
    const now = line.clock.now();
    line.fleet.clearQueue();
    line.fleet.world.queues = new Map();
    for (const id of line.fleet.world.others.map((device) => device.id))
      line.fleet.change({ lastDisconnectTime: now }, id);
    await line.pass(HOUR);
    expect(await line.requestNow(request)).toMatchObject({
      state: 'ended',
      counts: { verified: 9, not_verified: 1 },
    });
    expect(walked.get(request.id)).toEqual(['waiting', 'approved', 'running', 'ended']);
  });

  it('are those of an approved request again while nothing was sent', async () => {
    await createCheckedSetup();
    const request = await line.ask(reboot, line.fleet.addDevices(9));
    await line.approve(request);
    line.fleet.world.fate = 'unsent';
    await line.settle();
    line.fleet.world.fate = 'accept';
    await line.pass(2 * SECOND);
    const states = walked.get(request.id) ?? [];
    expect(states.slice(0, 4)).toEqual(['waiting', 'approved', 'running', 'approved']);
    expect(states.at(-1)).toBe('running');
  });

  it.each(['lost-before', 'lost-after', 'refuse', 'accept-unlisted'] as const)(
    'match when each answer is %s',
    async (fate) => {
      await createCheckedSetup();
      const id = await line.start(scan, line.fleet.addDevices(3));
      line.fleet.world.fate = fate;
      await line.pass(HOUR);
      expect(await line.requestNow({ id })).toMatchObject({ state: 'ended' });
    },
  );

  it('match through a dying process and a pause', async () => {
    let claims = 0;
    await createCheckedSetup({
      onFailpoint: (name) => {
        if (name === 'target.claimed') claims += 1;
        if (claims === 3) throw new Error('killed');
      },
    });
    const id = await line.start(scan, line.fleet.addDevices(19));
    await expect(line.settle()).rejects.toThrow('killed');
    claims = 4;
    line.fleet.hold((send) => async (device, command) => {
      if (line.fleet.world.posts.length === 9) await pauseNow();
      return send(device, command);
    });
    await line.pass(MINUTE);
    // What nobody resumes ends after a week.
    await line.pass(8 * DAY);
    const { state, counts } = await line.requestNow({ id });
    expect(state).toBe('ended');
    expect(counts.not_sent).toBeGreaterThan(5);
    expect(counts.unknown).toBeGreaterThan(0);
  });

  it('match when the rest is too late', async () => {
    await createCheckedSetup();
    const id = await line.start(scan, line.fleet.addDevices(9));
    line.fleet.hold((send) => async (device, command) => {
      if (line.fleet.world.posts.length === 3) line.fleet.world.fate = 'unsent';
      return send(device, command);
    });
    await line.pass(8 * DAY);
    expect(await line.requestNow({ id })).toMatchObject({
      state: 'ended',
      counts: { not_sent: 7, not_verified: 3 },
    });
  });
});
