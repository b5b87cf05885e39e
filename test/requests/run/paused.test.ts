/** A pause that starts while a request for many devices is being sent. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PauseControl } from '../../../src/commands/settings/settings-port.ts';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import { createPauseSwitch } from '../../../src/requests/decide/pause-switch.ts';
import { APPROVALS, createRequestsSetup, type RequestsSetup, START } from '../requests-setup.ts';

const CAROL = personId('U_CAROL');
const COUNT = 50;
/** Calls in flight: a pause can't recall them. */
const IN_FLIGHT = 4;
const scan = { kind: 'scan' } as const;
const reboot = { kind: 'reboot' } as const;
const PAUSED = [{ kind: 'paused', since: START, endedAt: null, reason: 'an incident' }];

let line: RequestsSetup;
let pause: PauseControl;
beforeEach(async () => {
  line = await createRequestsSetup();
  const { store, clock } = line;
  pause = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
});
afterEach(() => line.close());

const begin = () => pause.begin(CAROL, 'an incident');

/** A pause starts with this POST. */
function pauseAt(post: number): void {
  let posts = 0;
  line.fleet.hold((send) => async (id, command) => {
    posts += 1;
    if (posts === post) await begin();
    return send(id, command);
  });
}

describe('a pause that starts between two devices', () => {
  it.each([
    ['scan', scan],
    ['reboot', reboot],
  ])('ends the rest of a %s unsent, and says why', async (_what, action) => {
    const devices = line.fleet.addDevices(COUNT - 1);
    pauseAt(3);
    const id = action === scan ? await line.start(scan, devices) : (await line.ask(reboot, devices)).id;
    if (action === reboot) await line.approve(await line.requestNow({ id }));
    await line.settle();
    const sent = line.fleet.world.posts.length;
    expect(sent).toBeGreaterThanOrEqual(3);
    expect(sent).toBeLessThan(3 + IN_FLIGHT);
    const unsent = (await line.targetsOf(id)).filter(({ state }) => state === 'not_sent');
    expect(unsent).toHaveLength(COUNT - sent);
    for (const { evidence, endedAt } of unsent) expect([evidence, endedAt]).toEqual([PAUSED, START]);
    expect(await line.requestNow({ id })).toMatchObject({
      state: 'running',
      counts: { accepted: sent, not_sent: COUNT - sent, open: sent },
    });
    await pause.end(CAROL);
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toHaveLength(sent);
  });

  it('also ends the rest when it was over before the next claim', async () => {
    const devices = line.fleet.addDevices(COUNT - 1);
    let posts = 0;
    line.fleet.hold((send) => async (id, command) => {
      posts += 1;
      if (posts === 3) {
        await begin();
        await line.clock.advance(1);
        await pause.end(CAROL);
      }
      return send(id, command);
    });
    const id = await line.start(scan, devices);
    await line.settle();
    const ends = (await line.targetsOf(id)).filter(({ state }) => state === 'not_sent');
    expect(ends.length).toBeGreaterThan(COUNT - 3 - IN_FLIGHT);
    for (const { evidence } of ends) expect(evidence).toMatchObject([{ kind: 'paused' }]);
  });
});

describe('a pause that starts before the first device', () => {
  it('returns an approved request for many devices: nothing is sent, not even when the pause ends', async () => {
    const devices = line.fleet.addDevices(COUNT - 1);
    const request = await line.ask(reboot, devices);
    await line.approve(request);
    await begin();
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({
      state: 'waiting',
      decidedBy: null,
      startedAt: null,
      note: PAUSED[0],
      counts: { ready: COUNT, open: COUNT },
    });
    await pause.end(CAROL);
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.approve(await line.requestNow(request))).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.fleet.world.posts).toHaveLength(COUNT);
  });
});

describe('a command that the client withheld at the last moment', () => {
  const withheld = () => line.fleet.hold(() => async () => ({ kind: 'withheld' }));

  it('ends unsent, with the pause as evidence', async () => {
    line.fleet.hold(() => async () => {
      await begin();
      return { kind: 'withheld' };
    });
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: PAUSED });
  });

  it('is ready again when nothing is paused, says why, and is sent later', async () => {
    withheld();
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'ready',
      endedAt: null,
      nextAt: later(START, 2 * SECOND),
      evidence: [{ kind: 'pause-unread' }],
    });
    line.fleet.hold(() => async () => ({ kind: 'accepted' }));
    await line.pass(2 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
  });

  it('ends unsent when that lasts until it is too late', async () => {
    withheld();
    const id = await line.start(scan);
    await line.pass(15 * MINUTE);
    expect(await line.targetOf(id)).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'pause-unread' }],
    });
  });
});
