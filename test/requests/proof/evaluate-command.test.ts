import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { queueEntryId } from '../../../src/lib/ids.ts';
import { saysGone } from '../../../src/store/port/evidence.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import { aResponse } from '../../harness/builders.ts';
import { EARLIER, SENT } from '../builders.ts';
import {
  answered,
  deviceObservation,
  entry,
  evaluated,
  observation,
  queued,
  reboot,
  rebooted,
  SCENE_TIME,
  type Scene,
  scan,
  unknown,
  waiting,
} from './scenes.ts';

const WAITING = { kind: 'queued', entry: 501, answerLost: false, offline: null } as const;
const NOT_RESTARTED = { kind: 'not-restarted', uptimeDropped: false } as const;

describe('where a command stands in the queue', () => {
  it.each<readonly [string, Scene, Partial<RequestTarget>]>([
    [
      'accepted and not seen yet: still accepted',
      { command: reboot },
      { state: 'accepted', evidence: [{ kind: 'accepted', inQueue: 'not-seen' }, NOT_RESTARTED] },
    ],
    [
      'a new entry that waits: queued',
      { command: reboot, queue: [waiting] },
      {
        state: 'queued',
        queueEntryId: queueEntryId(501),
        evidence: [WAITING],
      },
    ],
    [
      'an entry that was there before: not ours',
      { command: reboot, queue: [waiting], before: { queueIds: [queueEntryId(501)] } },
      { state: 'accepted', queueEntryId: null },
    ],
    [
      'offline: waits for the device',
      { command: reboot, queue: [waiting], device: { connected: false } },
      {
        state: 'queued',
        evidence: [{ ...WAITING, offline: { since: EARLIER } }],
        deadlineAt: SCENE_TIME(7 * DAY),
      },
    ],
    [
      'two new entries: not told apart',
      { command: reboot, queue: [waiting, entry(502, { of: reboot })] },
      {
        state: 'accepted',
        queueEntryId: null,
        evidence: [{ kind: 'ambiguous', entries: 2, answerLost: false }],
      },
    ],
    [
      'lost answer, one new entry: queued, and says so',
      { command: reboot, target: unknown, queue: [waiting] },
      {
        state: 'queued',
        acceptedAt: null,
        evidence: [{ ...WAITING, answerLost: true }],
      },
    ],
    [
      'lost answer, two new entries: unknown, and says why',
      { command: reboot, target: unknown, queue: [waiting, entry(502, { of: reboot })] },
      { state: 'unknown', evidence: [{ kind: 'ambiguous', entries: 2, answerLost: true }] },
    ],
    [
      'lost answer, no entry: unknown as before',
      { command: reboot, target: unknown },
      { ...unknown, endedAt: null },
    ],
    [
      'an answer: answered, with its exit code and without its words',
      {
        command: reboot,
        target: queued,
        queue: [entry(501, { of: reboot, response: aResponse(3, 'token=hunter2') })],
      },
      {
        state: 'answered',
        response: 'exit code 3',
        evidence: [{ kind: 'answered', exitCode: 3 }, NOT_RESTARTED],
      },
    ],
    [
      'an empty answer is an answer',
      { command: reboot, target: queued, queue: [entry(501, { of: reboot, response: aResponse() })] },
      { state: 'answered', response: '', evidence: [{ kind: 'answered', exitCode: null }, NOT_RESTARTED] },
    ],
    [
      'not listed any more: queued as before, until the next look',
      { command: reboot, target: queued, device: rebooted },
      { state: 'queued', missedAt: SCENE_TIME(MINUTE), evidence: [] },
    ],
    [
      'not listed at the deadline: one look more',
      { command: reboot, target: queued, after: 40 * MINUTE },
      { state: 'queued', endedAt: null, missedAt: SCENE_TIME(40 * MINUTE) },
    ],
    [
      'not listed at two looks: left, as far as we saw',
      { command: reboot, target: { ...queued, missedAt: SENT } },
      {
        state: 'answered',
        response: null,
        evidence: [{ kind: 'left-queue' }, NOT_RESTARTED],
      },
    ],
    [
      'not listed once, then listed: queued as if nothing was',
      { command: reboot, target: { ...queued, missedAt: SENT }, queue: [waiting] },
      { state: 'queued', missedAt: null },
    ],
    [
      'left without an answer, then listed again: queued again',
      { command: reboot, target: { ...answered, response: null }, queue: [waiting] },
      {
        state: 'queued',
        answeredAt: null,
        evidence: [WAITING],
      },
    ],
    [
      'left without an answer, then listed with one: its answer counts',
      {
        command: reboot,
        target: { ...answered, response: null },
        queue: [entry(501, { of: reboot, response: aResponse(0, 'late') })],
      },
      { state: 'answered', response: 'exit code 0', answeredAt: SENT },
    ],
    [
      'an answer that is only a time: without words',
      { command: reboot, target: queued, queue: [entry(501, { of: reboot, responseTime: SCENE_TIME(1) })] },
      { state: 'answered', response: '', evidence: [{ kind: 'answered', exitCode: null }, NOT_RESTARTED] },
    ],
    [
      'an answered one that left keeps its answer',
      { command: reboot, target: answered },
      {
        state: 'answered',
        response: 'exit code 0',
        evidence: [{ kind: 'answered', exitCode: 0 }, NOT_RESTARTED],
      },
    ],
    [
      'one whose answer was seen and that an older list shows: never back to queued',
      { command: reboot, target: answered, queue: [waiting] },
      { state: 'answered', response: 'exit code 0' },
    ],
    [
      'a fast device: straight from accepted to answered',
      { command: reboot, queue: [entry(501, { of: reboot, response: aResponse(0, 'ok') })] },
      {
        state: 'answered',
        queueEntryId: queueEntryId(501),
        queuedAt: SCENE_TIME(MINUTE),
        answeredAt: SCENE_TIME(MINUTE),
      },
    ],
  ])('%s', (_what, scene, expected) => {
    expect(deviceObservation(scene)).toMatchObject(expected);
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
      {
        state: 'not_verified',
        evidence: [{ kind: 'still-queued', offline: null, at: expect.any(Number) }],
      },
    ],
    [
      'lost and never found',
      { command: reboot, target: unknown, after: late },
      {
        state: 'unknown',
        evidence: [{ kind: 'stays-unknown' }],
      },
    ],
    [
      'the device is gone from the service',
      { command: reboot, target: queued, device: null },
      {
        state: 'not_verified',
        evidence: [{ kind: 'unverifiable', thing: 'device' }],
      },
    ],
    [
      'the same after a lost answer',
      { command: reboot, target: unknown, device: null },
      { state: 'unknown' },
    ],
  ])('%s', (_what, scene, expected) => {
    const target = deviceObservation(scene);
    expect(target).toMatchObject(expected);
    expect(target.endedAt).toBe(SCENE_TIME(scene.after ?? MINUTE));
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
    expect(
      deviceObservation({ command: reboot, target: answered, device: rebooted, after: late }).state,
    ).toBe('verified');
  });

  it('gives a command that is found at the last moment its full time', () => {
    const scene = { command: reboot, target: unknown, queue: [waiting], device: { connected: false } };
    expect(deviceObservation({ ...scene, after: late })).toMatchObject({
      state: 'queued',
      deadlineAt: SCENE_TIME(7 * DAY),
    });
  });

  it.each(['verified', 'not_verified', 'not_sent', 'refused', 'ready', 'issuing'] as const)(
    'nothing moves a %s target',
    (state) => {
      const endedAt = state === 'ready' || state === 'issuing' ? null : SENT;
      const seen = observation({
        command: reboot,
        target: { state, endedAt },
        device: rebooted,
        queue: [waiting],
      });
      expect(evaluated(seen)).toBe(seen.target);
    },
  );
});
