import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { policyId, queueEntryId } from '../../../src/lib/ids.ts';
import { entriesPossiblyOurs } from '../../../src/requests/proof/queue-match.ts';
import { saysGone } from '../../../src/store/port/evidence.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { aQueueEntry, aResponse } from '../../harness/builders.ts';
import { aTarget, EARLIER, SENT } from '../builders.ts';
import {
  answered,
  at,
  deviceObservation,
  entry,
  evaluated,
  observation,
  queued,
  reboot,
  rebooted,
  type Scene,
  scan,
  seen,
  unknown,
  waiting,
} from './scenes.ts';

const WAITING = { kind: 'queued', entry: 501, answerLost: false, offline: null } as const;
const NOT_RESTARTED = { kind: 'not-restarted', uptimeDropped: false } as const;

describe('where a command stands in the queue', () => {
  const two = [waiting, entry(502, { of: reboot })];
  const ambiguous = (answerLost: boolean) => ({ kind: 'ambiguous', entries: 2, answerLost }) as const;
  const is = (exitCode: number | null) => [{ kind: 'answered', exitCode } as const, NOT_RESTARTED];
  const responds = (...given: Parameters<typeof aResponse>) => ({
    queue: [entry(501, { of: reboot, response: aResponse(...given) })],
  });
  const noAnswer = { ...answered, response: null };
  const missed = { ...queued, missedAt: SENT };

  it.each<readonly [string, Omit<Scene, 'command'>, Partial<RequestTarget>]>([
    [
      'accepted and not seen yet: still accepted',
      {},
      { state: 'accepted', evidence: [{ kind: 'accepted', inQueue: 'not-seen' }, NOT_RESTARTED] },
    ],
    [
      'a new entry that waits: queued',
      { queue: [waiting] },
      { state: 'queued', queueEntryId: queueEntryId(501), evidence: [WAITING] },
    ],
    [
      'an entry that was there before: not ours',
      { queue: [waiting], before: { queueIds: [queueEntryId(501)] } },
      { state: 'accepted', queueEntryId: null },
    ],
    [
      'offline: waits for the device',
      { queue: [waiting], device: { connected: false } },
      { state: 'queued', evidence: [{ ...WAITING, offline: { since: EARLIER } }], deadlineAt: at(7 * DAY) },
    ],
    [
      'two new entries: not told apart',
      { queue: two },
      { state: 'accepted', queueEntryId: null, evidence: [ambiguous(false)] },
    ],
    [
      'lost answer, one new entry: queued, and says so',
      { target: unknown, queue: [waiting] },
      { state: 'queued', acceptedAt: null, evidence: [{ ...WAITING, answerLost: true }] },
    ],
    [
      'lost answer, two new entries: unknown, and says why',
      { target: unknown, queue: two },
      { state: 'unknown', evidence: [ambiguous(true)] },
    ],
    ['lost answer, no entry: unknown as before', { target: unknown }, { ...unknown, endedAt: null }],
    [
      'an answer: answered, with its exit code',
      { target: queued, ...responds(3) },
      { state: 'answered', response: 'exit code 3', evidence: is(3) },
    ],
    [
      'an empty answer is an answer',
      { target: queued, ...responds() },
      { state: 'answered', response: '', evidence: is(null) },
    ],
    [
      'not listed any more: queued as before, until the next look',
      { target: queued, device: rebooted },
      { state: 'queued', missedAt: at(MINUTE), evidence: [] },
    ],
    [
      'not listed at the deadline: one look more',
      { target: queued, after: 40 * MINUTE },
      { state: 'queued', endedAt: null, missedAt: at(40 * MINUTE) },
    ],
    [
      'not listed at two looks: left, as far as we saw',
      { target: missed },
      { state: 'answered', response: null, evidence: [{ kind: 'left-queue' }, NOT_RESTARTED] },
    ],
    [
      'not listed once, then listed: queued as if nothing was',
      { target: missed, queue: [waiting] },
      { state: 'queued', missedAt: null },
    ],
    [
      'left without an answer, then listed again: queued again',
      { target: noAnswer, queue: [waiting] },
      { state: 'queued', answeredAt: null, evidence: [WAITING] },
    ],
    [
      'left without an answer, then listed with one: its answer counts',
      { target: noAnswer, ...responds(0) },
      { state: 'answered', response: 'exit code 0', answeredAt: SENT },
    ],
    [
      'an answer that is only a time: without words',
      { target: queued, queue: [entry(501, { of: reboot, responseTime: at(1) })] },
      { state: 'answered', response: '', evidence: is(null) },
    ],
    [
      'an answered one that left keeps its answer',
      { target: answered },
      { state: 'answered', response: 'exit code 0', evidence: is(0) },
    ],
    [
      'one whose answer was seen and that an older list shows: never back to queued',
      { target: answered, queue: [waiting] },
      { state: 'answered', response: 'exit code 0' },
    ],
    [
      'a fast device: straight from accepted to answered',
      responds(0),
      { state: 'answered', queueEntryId: queueEntryId(501), queuedAt: at(MINUTE), answeredAt: at(MINUTE) },
    ],
  ])('%s', (_what, scene, expected) => {
    expect(deviceObservation({ command: reboot, ...scene })).toMatchObject(expected);
  });
});

describe('the end of following', () => {
  const late = 30 * MINUTE;
  it.each<readonly [string, Scene, Partial<RequestTarget>]>([
    [
      'never seen in the queue and nothing shows',
      { command: scan, after: late },
      {
        state: 'not_verified',
        evidence: [
          { kind: 'accepted', inQueue: 'not-seen' },
          { kind: 'unconfirmed' },
          { kind: 'not-refreshed', last: EARLIER },
        ],
      },
    ],
    [
      'answered and nothing shows',
      { command: reboot, target: answered, after: late },
      {
        state: 'not_verified',
        evidence: [{ kind: 'answered', exitCode: 0 }, { kind: 'unconfirmed' }, NOT_RESTARTED],
      },
    ],
    [
      'still in the queue of an online device',
      { command: reboot, target: queued, queue: [waiting], after: late },
      { state: 'not_verified', evidence: [{ kind: 'still-queued', offline: null, at: expect.any(Number) }] },
    ],
    [
      'lost and never found',
      { command: reboot, target: unknown, after: late },
      { state: 'unknown', evidence: [{ kind: 'stays-unknown' }] },
    ],
    [
      'lost, with two entries that may be it',
      { command: reboot, target: unknown, queue: [waiting, entry(502, { of: reboot })], after: late },
      { state: 'unknown', evidence: [{ kind: 'ambiguous', entries: 2, answerLost: true }] },
    ],
    [
      'the device is gone from the service',
      { command: reboot, target: queued, device: null },
      { state: 'not_verified', evidence: [{ kind: 'unverifiable', thing: 'device' }] },
    ],
    [
      'the same after a lost answer',
      { command: reboot, target: unknown, device: null },
      { state: 'unknown' },
    ],
  ])('%s', (_what, scene, expected) => {
    const target = deviceObservation(scene);
    expect(target).toMatchObject(expected);
    expect(target.endedAt).toBe(at(scene.after ?? MINUTE));
  });

  it('knows that the device is gone, and not so of a command that was never found', () => {
    for (const target of [queued, unknown]) {
      const { evidence } = deviceObservation({ command: reboot, target, device: null });
      expect(saysGone(evidence)).toBe(true);
    }
    const { evidence } = deviceObservation({ command: reboot, target: unknown, after: late });
    expect(saysGone(evidence)).toBe(false);
  });

  it('comes after a week for an offline device, and says since when it is offline', () => {
    const scene = { command: reboot, target: queued, queue: [waiting], device: { connected: false } };
    expect(deviceObservation({ ...scene, after: 7 * DAY - 1 }).endedAt).toBeNull();
    expect(deviceObservation({ ...scene, after: 7 * DAY })).toMatchObject({
      state: 'not_verified',
      evidence: [{ kind: 'still-queued', offline: { since: EARLIER } }],
    });
  });

  it('does not come to a proof that is there at the last moment', () => {
    expect(deviceObservation(seen(reboot, rebooted, { after: late })).state).toBe('verified');
  });

  it('gives a command that is found at the last moment its full time', () => {
    const scene = { command: reboot, target: unknown, queue: [waiting], device: { connected: false } };
    expect(deviceObservation({ ...scene, after: late })).toMatchObject({
      state: 'queued',
      deadlineAt: at(7 * DAY),
    });
  });

  it.each(['verified', 'not_verified', 'not_sent', 'refused', 'ready', 'issuing'] as const)(
    'nothing moves a %s target',
    (state) => {
      const endedAt = state === 'ready' || state === 'issuing' ? null : SENT;
      const target = { state, endedAt };
      const given = observation({ command: reboot, target, device: rebooted, queue: [waiting] });
      expect(evaluated(given)).toBe(given.target);
    },
  );
});

const { before } = aTarget();
const first = aQueueEntry({ id: queueEntryId(1) });

describe('which queue entries may be ours', () => {
  it('those of the same command, and none of another', () => {
    expect(entriesPossiblyOurs(reboot, before, [first])).toEqual([first]);
    expect(entriesPossiblyOurs({ kind: 'scan' }, before, [first])).toEqual([]);
  });

  it('none that was there before', () => {
    const known = { ...before, queueIds: [queueEntryId(1)] };
    expect(entriesPossiblyOurs(reboot, known, [first, aQueueEntry({ id: queueEntryId(2) })])).toMatchObject([
      { id: 2 },
    ]);
  });

  it('none that a policy made, though it may say the same', () => {
    const policies = [{ ...first, policyId: policyId(99) }, aQueueEntry({ id: queueEntryId(2) })];
    expect(entriesPossiblyOurs(reboot, before, policies)).toMatchObject([{ id: 2 }]);
  });

  it('of a policy, those of that very policy, whether or not they carry its number', () => {
    const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
    const of = (id: number, type: string, carried: number | null) =>
      aQueueEntry({
        id: queueEntryId(id),
        type,
        args: '',
        policyId: carried === null ? null : policyId(carried),
      });
    const queue = [
      of(1, 'policy_12_remediate', null),
      of(2, 'policy_12_remediate', 0),
      of(3, 'policy_12_remediate', 12),
      of(4, 'policy_12_remediate', 13),
      of(5, 'policy_13_remediate', 0),
      of(6, 'policy_12_test', 0),
    ];
    expect(entriesPossiblyOurs(remediate, before, queue).map(({ id }) => id)).toEqual([1, 2, 3]);
  });
});
