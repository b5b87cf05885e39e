/** What became due too long ago is not sent, whatever kept it: a process that was down, a service that was away. */

import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { FailpointName } from '../../../src/lib/failpoints.ts';
import { cardKey, type PersonId, personId, requestCardKey } from '../../../src/lib/ids.ts';
import type { RightReading } from '../../../src/requests/decide/prove-rights.ts';
import { tooLate } from '../../../src/requests/run/send-check.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import {
  ALICE,
  BOB,
  createRequestsSetup,
  type RequestsSetup,
  reboot,
  START,
  scan,
} from '../requests-setup.ts';
import { createRolloutSetup, ONE_THEN_REST, type RolloutSetup } from './rollout-setup.ts';

const LIMIT = 15 * MINUTE;
const rename = { kind: 'device-edit', change: { customName: 'front' } } as const;
const late = (how: 'requested' | 'approved', since = START, maxAgeMs = LIMIT) => [
  { kind: 'too-late', since, how, maxAgeMs },
];

let line: RequestsSetup;
beforeEach(async () => {
  line = await createRequestsSetup();
});

async function approved(): Promise<RequestRecord> {
  const request = await line.ask(reboot);
  await line.approve(request);
  return request;
}

describe('a command that needs no approval', () => {
  it.each([
    ['14 min 59 s', 'accepted', 1, LIMIT - SECOND],
    ['15 min', 'not_sent', 0, LIMIT],
    ['72 h', 'not_sent', 0, 72 * HOUR],
  ] as const)('that nobody took up for %s: the state is %s', async (_what, state, posts, ms) => {
    const id = await line.start(scan);
    await line.clock.advance(ms);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state });
    expect(line.world.posts).toHaveLength(posts);
    await line.pass(DAY);
    expect(line.world.posts).toHaveLength(posts);
  });

  it('says that it was too late, in the audit too, and tells the one who asked', async () => {
    const id = await line.start(scan);
    line.world.reads = [];
    await line.clock.advance(72 * HOUR);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'not_sent',
      evidence: late('requested'),
      endedAt: later(START, 72 * HOUR),
      acceptedAt: null,
    });
    expect(await line.actions()).toEqual(['operation.requested', 'operation.not_sent']);
    expect(await line.store.cards.get(`told:operation:${id}`)).toMatchObject({ channel: 'U_ALICE' });
    expect(line.world.reads).toEqual([]);
  });

  it('that a dead process had not sent yet is not sent by its successor', async () => {
    const id = await line.start(rename);
    line.fleet.change({ customName: 'a newer name' });
    await line.clock.advance(3 * DAY);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent' });
    expect(line.world.edits).toEqual([]);
    expect(line.world.device).toMatchObject({ customName: 'a newer name' });
  });

  it('is too late where reading the device takes it over the limit', async () => {
    const id = await line.start(scan);
    await line.clock.advance(LIMIT - SECOND);
    line.world.holdRead = () => line.clock.advance(SECOND);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: late('requested') });
    expect(line.world.posts).toEqual([]);
  });

  it('is limited by what the configuration says', async () => {
    line = await createRequestsSetup({ maxAgeMs: HOUR });
    const first = await line.start(scan);
    await line.clock.advance(HOUR - SECOND);
    await line.settle();
    expect(await line.targetOf(first)).toMatchObject({ state: 'accepted' });
    const second = await line.start(rename);
    await line.clock.advance(HOUR);
    await line.settle();
    expect((await line.targetOf(second)).evidence).toEqual(
      late('requested', later(START, HOUR - SECOND), HOUR),
    );
  });
});

describe('what was approved', () => {
  it.each([
    ['14 min 59 s', 'accepted', 1, LIMIT - SECOND],
    ['16 min', 'not_sent', 0, 16 * MINUTE],
    ['3 days', 'not_sent', 0, 3 * DAY],
  ] as const)('and was not taken up for %s: the state is %s', async (_what, state, posts, ms) => {
    const request = await approved();
    await line.clock.advance(ms);
    await line.settle();
    const expected = { state: state === 'accepted' ? 'running' : 'ended', decidedBy: BOB };
    expect(await line.requestNow(request)).toMatchObject(expected);
    expect(await line.targetFor(request)).toMatchObject({ state });
    expect(line.world.posts).toHaveLength(posts);
  });

  it('counts from the decision, and is not requested again when it is too late', async () => {
    const request = await line.ask(reboot);
    await line.pass(20 * MINUTE);
    const decidedAt = line.clock.now();
    expect(await line.approve(request)).toMatchObject({ kind: 'decided' });
    await line.clock.advance(LIMIT);
    line.fleet.change({ connected: false });
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_sent',
      evidence: late('approved', decidedAt),
    });
    expect(await line.actions()).toEqual(['approval.requested', 'approval.approved', 'operation.not_sent']);
    expect(await line.store.cards.get(`told:approval:${request.id}`)).not.toBeNull();
    await line.pass(DAY);
    expect(line.world.posts).toEqual([]);
  });

  it('is too late where reading the device takes it over the limit', async () => {
    const request = await approved();
    await line.clock.advance(LIMIT - SECOND);
    line.world.holdRead = () => line.clock.advance(SECOND);
    await line.settle();
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent' });
    expect(line.world.posts).toEqual([]);
  });

  it('goes back to the approver where the device changed within the limit', async () => {
    const request = await approved();
    line.fleet.change({ connected: false });
    await line.clock.advance(LIMIT - SECOND);
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', startedAt: null });
  });
});

describe('what was claimed', () => {
  const heldUpAfterClaim = async (ms: number) => {
    line = await createRequestsSetup({
      onFailpoint: async (name) => {
        if (name === 'target.claimed') await line.clock.advance(ms);
      },
    });
  };

  it.each([
    ['requested', scan],
    ['requested', rename],
    ['approved', reboot],
  ] as const)('and was %s too long ago by the time that it would be sent is not sent', async (how, order) => {
    await heldUpAfterClaim(2 * MINUTE);
    const id = how === 'approved' ? (await approved()).id : await line.start(order);
    await line.clock.advance(14 * MINUTE);
    await line.settle();
    const target = await line.targetOf(id);
    expect(target).toMatchObject({ state: 'not_sent', evidence: late(how) });
    expect([line.world.posts, line.world.edits]).toEqual([[], []]);
  });
});

describe('a request that waited', () => {
  it('counts approvals and denials while it lives, and then says that it expired', async () => {
    const first = await line.ask(reboot);
    await line.clock.advance(29 * MINUTE);
    expect(await line.decide(first, 'approve')).toMatchObject({ kind: 'decided' });
    await line.settle();
    expect(line.world.posts).toEqual([reboot]);
    const second = await line.ask({ kind: 'patch-all' });
    await line.clock.advance(3 * DAY);
    const expected = { refusal: { kind: 'already', state: 'expired' } };
    expect(await line.decide(second, 'deny')).toMatchObject(expected);
  });
});

describe('what was being sent when the process ended', () => {
  class Killed extends Error {}
  const dies = async (point: FailpointName): Promise<void> => {
    let isDead = false;
    line = await createRequestsSetup({
      onFailpoint: (name) => {
        if (name !== point || isDead) return;
        isDead = true;
        throw new Killed(point);
      },
    });
  };

  it.each([
    ['target.sent', 1, 'not_verified', 'still-queued'],
    ['target.claimed', 0, 'unknown', 'stays-unknown'],
  ] as const)('at %s is looked for three days later, and never sent again', async (...ended) => {
    const [point, posts, state, kind] = ended;
    await dies(point);
    const request = await approved();
    await expect(line.settle()).rejects.toThrow(Killed);
    await line.clock.advance(3 * DAY);
    await line.settle();
    const evidence = [{ kind }];
    expect(await line.targetFor(request)).toMatchObject({ state, endedAt: line.clock.now(), evidence });
    await line.pass(HOUR);
    expect(line.world.posts).toHaveLength(posts);
  });
});

describe('a clock that was set', () => {
  it('back counts what is due in the future as due now', () => {
    expect(tooLate({ since: later(START, 3 * DAY), how: 'requested' }, LIMIT, START)).toBeNull();
    expect(tooLate({ since: START, how: 'requested' }, LIMIT, START)).toBeNull();
  });

  it('forward sends nothing that is too old by it', () => {
    expect(tooLate({ since: START, how: 'requested' }, LIMIT, later(START, LIMIT - 1))).toBeNull();
    expect(tooLate({ since: START, how: 'requested' }, LIMIT, later(START, LIMIT))).not.toBeNull();
  });
});

describe('rights', () => {
  const CAROL = personId('U_CAROL');

  let line: RolloutSetup;
  /** What Slack answers about somebody; absent: that they have their right. */
  let verdicts: Map<PersonId, RightReading['verdict']>;
  /** How old its answer is. */
  let ageMs: number;
  let asked: string[];
  beforeEach(async () => {
    verdicts = new Map();
    ageMs = 0;
    asked = [];
    line = await createRolloutSetup({
      readRight: async (person, right) => {
        asked.push(`${person} ${right}`);
        return { verdict: verdicts.get(person) ?? 'allowed', asOf: later(line.clock.now(), -ageMs) };
      },
    });
  });

  const LOST_BY_REQUESTER = [{ kind: 'rights-lost', who: 'requester' }];
  const isTold = async (request: Parameters<typeof requestCardKey>[0]) =>
    (await line.store.cards.get(cardKey('told', requestCardKey(request)))) !== null;

  /** A reboot that was approved after Slack said this of somebody; nothing of it was sent. */
  async function approvedWhere(person: PersonId, verdict: RightReading['verdict']) {
    const request = await line.ask(reboot);
    verdicts.set(person, verdict);
    await line.approve(request);
    await line.settle();
    expect(line.posted()).toEqual([]);
    return request;
  }

  describe('a single device', () => {
    it('is sent when both have their rights, each proved once', async () => {
      await line.approve(await line.ask(reboot));
      await line.settle();
      expect(line.posted()).toHaveLength(1);
      expect(asked.toSorted()).toEqual([`${ALICE} propose`, `${BOB} approve`]);
    });

    it('gets nothing once the requester lost the right, and the requester is told', async () => {
      const request = await approvedWhere(ALICE, 'refused');
      expect(await line.requestNow(request)).toMatchObject({ state: 'ended', counts: { not_sent: 1 } });
      expect(await line.targetFor(request)).toMatchObject({ evidence: LOST_BY_REQUESTER });
      expect(await isTold(request)).toBe(true);
    });

    it('waits for another approver once the one who approved lost the right', async () => {
      const returned = await line.requestNow(await approvedWhere(BOB, 'refused'));
      const note = { kind: 'rights-lost', who: 'approver' };
      expect(returned).toMatchObject({ state: 'waiting', approvedBy: BOB, note });
      await line.approve(returned, CAROL);
      await line.settle();
      expect(line.posted()).toHaveLength(1);
    });

    it('is not sent without an approval either, such as a scan', async () => {
      verdicts.set(ALICE, 'refused');
      const id = await line.start({ kind: 'scan' });
      await line.settle();
      expect(line.posted()).toEqual([]);
      expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: LOST_BY_REQUESTER });
    });

    it.each([ALICE, BOB])(
      'waits while Slack does not say of %s, and says so, until it does',
      async (person) => {
        const request = await approvedWhere(person, 'unknown');
        asked = [];
        await line.pass(3 * MINUTE);
        expect(asked).toHaveLength(6);
        expect(line.posted()).toEqual([]);
        const note = { kind: 'rights-unread' };
        expect(await line.requestNow(request)).toMatchObject({ state: 'approved', note });
        verdicts.clear();
        await line.pass(MINUTE);
        expect(line.posted()).toHaveLength(1);
        expect(await line.requestNow(request)).toMatchObject({ note: null });
      },
    );

    it('ends as too late where Slack never says', async () => {
      const request = await approvedWhere(ALICE, 'unknown');
      await line.pass(20 * MINUTE);
      expect(line.posted()).toEqual([]);
      const evidence = [{ kind: 'too-late' }, { kind: 'rights-unread' }];
      expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', evidence });
    });

    it('is proved again where the answer grew old before its claim', async () => {
      await line.approve(await line.ask(reboot));
      ageMs = MINUTE + 1;
      await line.settle();
      expect(line.posted()).toEqual([]);
      ageMs = 0;
      verdicts.set(BOB, 'refused');
      await line.pass(MINUTE);
      expect(line.posted()).toEqual([]);
    });

    it('is proved by the process that sends it, whatever another one proved before', async () => {
      const request = await line.ask(reboot);
      await line.approve(request);
      ageMs = 2 * MINUTE;
      await line.run(request.id);
      const other = line.replica({ readRight: async () => ({ verdict: 'refused', asOf: line.clock.now() }) });
      await line.run(request.id, other);
      expect(line.posted()).toEqual([]);
      expect(await line.targetFor(request)).toMatchObject({ evidence: LOST_BY_REQUESTER });
    });
  });

  describe('a rollout', () => {
    const WAVES = { ...ONE_THEN_REST, brake: { kind: 'devices', devices: 8 } } as const;
    /** Until the first wave is verified. */
    const firstWave = async (plan = {}) => {
      const begun = await line.begin(8, { ...WAVES, ...plan });
      await line.settle();
      expect(line.posted()).toHaveLength(1);
      await line.clock.advance(1_000);
      line.restart(...begun.devices, ...line.posted());
      return begun;
    };

    it('is proved once for each wave', async () => {
      const { devices } = await line.begin(8, WAVES);
      for (let wave = 0; wave < 6; wave += 1) {
        await line.pass(2 * MINUTE);
        line.restart(...devices, ...line.posted());
      }
      expect(new Set(line.posted()).size).toBe(8);
      expect(asked).toHaveLength(3 * 2);
    });

    it('stops for good between its waves once the requester lost the right', async () => {
      const { id } = await firstWave();
      verdicts.set(ALICE, 'refused');
      await line.pass(5 * MINUTE);
      expect(line.posted()).toHaveLength(1);
      const request = await line.requestNow({ id });
      const { rollout, counts, state } = request;
      expect({ hold: rollout?.hold, counts, state }).toMatchObject({
        hold: { kind: 'stopped', by: null, why: 'rights' },
        counts: { verified: 1, not_sent: 7 },
        state: 'ended',
      });
      expect((await line.targetsOf(id)).at(-1)).toMatchObject({ evidence: LOST_BY_REQUESTER });
      expect(await isTold(request)).toBe(true);
    });

    it('returns with its rest once its approver lost the right, and goes on by another approval', async () => {
      const { id } = await firstWave();
      verdicts.set(BOB, 'refused');
      await line.pass(5 * MINUTE);
      expect(line.posted()).toHaveLength(1);
      const returned = await line.requestNow({ id });
      expect(returned).toMatchObject({ state: 'waiting', note: { kind: 'rights-lost', who: 'approver' } });
      await line.approve(returned, CAROL);
      await line.pass(MINUTE);
      expect(line.posted()).toHaveLength(4);
    });

    it('returns once somebody who let it go on lost the right', async () => {
      const { id } = await firstWave({ gate: 'manual' });
      await line.pass(5 * MINUTE);
      verdicts.set(CAROL, 'refused');
      expect(await line.control(id, 'continue', CAROL)).toMatchObject({ kind: 'decided' });
      await line.pass(MINUTE);
      expect(line.posted()).toHaveLength(1);
      expect(await line.requestNow({ id })).toMatchObject({ state: 'waiting' });
    });

    it('is proved again where somebody let a wave go on that was held', async () => {
      let pausing: Promise<unknown> | undefined;
      const held = await createRolloutSetup({
        readRight: async (person) => ({ verdict: verdicts.get(person) ?? 'allowed', asOf: held.clock.now() }),
        onFailpoint: async (name) => {
          if (name !== 'target.sent') return;
          pausing ??= held.control(id, 'pause');
          await pausing;
        },
      });
      const { id } = await held.begin(9, { waves: [{ kind: 'devices', devices: 9 }] });
      await held.settle();
      const { length: sentBefore } = held.posted();
      expect(sentBefore).toBeLessThan(9);
      verdicts.set(ALICE, 'refused');
      await held.pass(5 * HOUR);
      expect(await held.control(id, 'resume', CAROL)).toMatchObject({ kind: 'decided' });
      await held.settle();
      expect(held.posted()).toHaveLength(sentBefore);
      expect(await held.rolloutOf(id)).toMatchObject({ hold: { kind: 'stopped', why: 'rights' } });
      await held.close();
    });

    it('goes on only when Slack says that all have their rights, and never by itself after too long', async () => {
      const { id } = await firstWave();
      verdicts.set(BOB, 'unknown');
      await line.pass(5 * MINUTE);
      expect(await line.requestNow({ id })).toMatchObject({ note: { kind: 'rights-unread' } });
      await line.pass(48 * HOUR);
      expect(line.posted()).toHaveLength(1);
      expect((await line.rolloutOf(id))?.hold).not.toBeNull();
    });
  });
});
