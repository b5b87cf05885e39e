/** Rollouts and time: presses that come late, waves that could not go on, and clocks that go wrong. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import { controlAsPeopleDo, submittedThroughWindow } from '../../harness/through-window.ts';
import { anError } from '../fleet-builders.ts';
import { BOB, START } from '../requests-setup.ts';
import { createRolloutSetup, ONE_THEN_REST, type RolloutSetup } from './rollout-setup.ts';

const CAROL = personId('U_CAROL');

let line: RolloutSetup;
let isStopping = false;
beforeEach(async () => {
  isStopping = false;
  line = await createRolloutSetup({ isStopping: () => isStopping });
});

const begin: RolloutSetup['begin'] = (...given) => line.begin(...given);
const restart: RolloutSetup['restart'] = (...given) => line.restart(...given);
const control: RolloutSetup['control'] = (...given) => line.control(...given);
const rolloutOf: RolloutSetup['rolloutOf'] = (id) => line.rolloutOf(id);
const posted = () => line.posted();

describe('a press', () => {
  it('lets nothing go on by a press on a card that showed another hold', async () => {
    const { id, devices } = await begin(9, { ...ONE_THEN_REST, gate: 'manual' });
    await line.settle();
    restart(...devices.slice(0, 1));
    await line.pass(MINUTE);
    const shown = (await rolloutOf(id))?.hold?.at;
    const press = { requestId: id, role: 'approver', control: 'continue', hold: shown } as const;
    expect(await controlAsPeopleDo(line, { ...press, person: BOB })).toMatchObject({ kind: 'decided' });
    await line.settle();
    restart(...devices.slice(1, 4));
    await line.pass(2 * MINUTE);
    expect(await rolloutOf(id)).toMatchObject({ wave: 2, hold: { kind: 'gate' } });
    const refusal = { kind: 'stale-card' };
    expect(await controlAsPeopleDo(line, { ...press, person: CAROL })).toEqual({ kind: 'refused', refusal });
    expect(await controlAsPeopleDo(line, { ...press, person: CAROL, control: 'stop' })).toMatchObject({
      kind: 'decided',
    });
  });

  it('lets nothing go on by a press that is handled long after it, but halts it', async () => {
    const { id } = await begin(5, ONE_THEN_REST);
    await line.settle();
    const askedAt = line.clock.now();
    await control(id, 'pause');
    await line.pass(3 * DAY);
    const press = { requestId: id, person: CAROL, role: 'approver', askedAt } as const;
    // Its canary came back to nothing meanwhile, so what is resumed is the brake.
    const resumed = submittedThroughWindow(line, { ...press, wanted: { kind: 'resume' } });
    expect(await resumed).toEqual({ kind: 'window-refused', why: 'ended-window' });
    expect(await controlAsPeopleDo(line, { ...press, control: 'stop' })).toMatchObject({ kind: 'decided' });
  });
});

describe('a rollout that could not go on in time', () => {
  it('because nothing ran is paused, and says since when', async () => {
    const { id } = await begin(5, ONE_THEN_REST);
    const due = line.clock.now();
    await line.clock.advance(HOUR);
    await line.settle();
    expect(posted()).toEqual([]);
    expect(await rolloutOf(id)).toMatchObject({ hold: { kind: 'paused', by: null, since: due } });
    await control(id, 'resume');
    await line.settle();
    expect(posted()).toHaveLength(1);
  });

  it('because the service was down is paused', async () => {
    const { id } = await begin(5, ONE_THEN_REST);
    line.world.fate = 'unsent';
    await line.pass(HOUR);
    expect(posted()).toEqual([]);
    expect(await rolloutOf(id)).toMatchObject({ hold: { kind: 'paused', by: null } });
    line.world.fate = 'accept';
    await control(id, 'resume');
    await line.pass(MINUTE + SECOND);
    expect(posted()).toHaveLength(1);
  });
});

describe('a wave that takes long', () => {
  it('goes on when another process cannot read the devices at first', async () => {
    const { id } = await begin(12, { waves: [] });
    line.fleet.hold((send) => async (...given) => {
      isStopping = posted().length % 4 === 3;
      return send(...given);
    });
    for (let part = 0; part < 2; part += 1) {
      isStopping = false;
      await line.run(id);
      await line.clock.advance(8 * MINUTE);
    }
    isStopping = false;
    line.world.readError = anError('broken', 503);
    const next = line.replica();
    expect(await line.run(id, next)).toMatchObject({ kind: 'again' });
    expect(await rolloutOf(id)).toMatchObject({ hold: null });
    line.world.readError = null;
    await line.run(id, next);
    expect(posted().length).toBeGreaterThan(8);
  });
});

describe('a clock that ran ahead when a wave ended', () => {
  it('does not put off the next wave once it is right again', async () => {
    const { id, devices } = await begin(5, { ...ONE_THEN_REST, waitMs: 10 * MINUTE });
    await line.settle();
    restart(...devices.slice(0, 1));
    const ahead = createManualClock(later(START, DAY));
    await line.clock.advance(10 * SECOND);
    const follow = { kind: 'follow', key: id, dueAt: START, payload: null, attempts: 0 } as const;
    const { organizationId } = await line.requestNow({ id });
    for (let looks = 0; looks < 3; looks += 1) {
      await line.replica({ clock: ahead }).follow({ ...follow, organizationId, token: 'token' });
      await ahead.advance(MINUTE);
    }
    expect(await rolloutOf(id)).toMatchObject({ wave: 1, hold: null });
    await line.pass(11 * MINUTE);
    expect(posted()).toHaveLength(4);
    ahead.stop();
  });
});
