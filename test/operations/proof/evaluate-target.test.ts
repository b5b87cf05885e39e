import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../src/lib/clock.ts';
import { queueEntryId } from '../../../src/lib/ids.ts';
import { timePlaceholder } from '../../../src/operations/evidence-text.ts';
import { evaluateTarget } from '../../../src/operations/proof/evaluate-target.ts';
import type { TargetRecord } from '../../../src/store/port/records.ts';
import { aResponse } from '../../harness/builders.ts';
import { EARLIER, SENT } from '../builders.ts';
import {
  answered,
  deviceObservation,
  entry,
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

describe('where a command stands in the queue', () => {
  it.each<readonly [string, Scene, Partial<TargetRecord>]>([
    [
      'accepted and not seen yet: still accepted',
      { command: reboot },
      {
        state: 'accepted',
        evidence: expect.stringContaining('Patchbay hasn’t seen it in the device’s queue'),
      },
    ],
    [
      'a new entry that waits: queued',
      { command: reboot, queue: [waiting] },
      {
        state: 'queued',
        queueEntryId: queueEntryId(501),
        evidence: 'The command can’t be canceled.',
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
        evidence: `The command can’t be canceled. The device has been offline since ${timePlaceholder(EARLIER)} and runs the command as soon as it’s back online.`,
        deadlineAt: SCENE_TIME(7 * DAY),
      },
    ],
    [
      'two new entries: not told apart',
      { command: reboot, queue: [waiting, entry(502, { of: reboot })] },
      {
        state: 'accepted',
        queueEntryId: null,
        evidence:
          'The management service accepted the command, and the device’s queue has 2 new entries like this command. It’s unclear which one belongs to it.',
      },
    ],
    [
      'lost answer, one new entry: queued, and says so',
      { command: reboot, target: unknown, queue: [waiting] },
      {
        state: 'queued',
        acceptedAt: null,
        evidence:
          'Patchbay got no clear answer, but the command is in the device’s queue. The command can’t be canceled.',
      },
    ],
    [
      'lost answer, two new entries: unknown, and says why',
      { command: reboot, target: unknown, queue: [waiting, entry(502, { of: reboot })] },
      { state: 'unknown', evidence: expect.stringContaining('unclear which one') },
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
        evidence: expect.stringContaining('The device answered with exit code 3.'),
      },
    ],
    [
      'an empty answer is an answer',
      { command: reboot, target: queued, queue: [entry(501, { of: reboot, response: aResponse() })] },
      { state: 'answered', response: '', evidence: expect.stringContaining('The device answered.') },
    ],
    [
      'not listed any more: queued as before, until the next look',
      { command: reboot, target: queued, device: rebooted },
      { state: 'queued', missedAt: SCENE_TIME(MINUTE), evidence: null },
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
        evidence: expect.stringContaining('left the device’s queue. No answer was seen.'),
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
        evidence: 'The command can’t be canceled.',
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
      { state: 'answered', response: '', evidence: expect.stringContaining('The device answered.') },
    ],
    [
      'an answered one that left keeps its answer',
      { command: reboot, target: answered },
      { state: 'answered', response: 'exit code 0', evidence: expect.stringContaining('exit code 0') },
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
  it.each<readonly [string, Scene, Partial<TargetRecord>]>([
    [
      'never seen in the queue and nothing shows',
      { command: scan, after: late },
      {
        state: 'not_verified',
        evidence: `The management service accepted the command. Patchbay hasn’t seen it in the device’s queue. Couldn’t confirm that it ran. Its last refresh is still ${timePlaceholder(EARLIER)}.`,
      },
    ],
    [
      'answered and nothing shows',
      { command: reboot, target: answered, after: late },
      {
        state: 'not_verified',
        evidence:
          'The device answered with exit code 0. Couldn’t confirm that it ran. No disconnect and reconnect seen, and its uptime did not drop.',
      },
    ],
    [
      'still in the queue of an online device',
      { command: reboot, target: queued, queue: [waiting], after: late },
      {
        state: 'not_verified',
        evidence:
          'Still in the device’s queue when Patchbay stopped checking. A queued command can’t be canceled, so it may still run.',
      },
    ],
    [
      'lost and never found',
      { command: reboot, target: unknown, after: late },
      {
        state: 'unknown',
        evidence: expect.stringMatching(/^Patchbay got no clear answer .* It was not sent again\.$/),
        endCause: null,
      },
    ],
    [
      'the device is gone from the service',
      { command: reboot, target: queued, device: null },
      {
        state: 'not_verified',
        evidence: expect.stringContaining('no longer exists in the management service'),
        endCause: 'gone',
      },
    ],
    [
      'the same after a lost answer',
      { command: reboot, target: unknown, device: null },
      { state: 'unknown', endCause: 'gone' },
    ],
  ])('%s', (_what, scene, expected) => {
    const target = deviceObservation(scene);
    expect(target).toMatchObject(expected);
    expect(target.endedAt).toBe(SCENE_TIME(scene.after ?? MINUTE));
  });

  it('comes after a week for an offline device, and says since when it is offline', () => {
    const scene = { command: reboot, target: queued, queue: [waiting], device: { connected: false } };
    expect(deviceObservation({ ...scene, after: 7 * DAY - 1 }).endedAt).toBeNull();
    expect(deviceObservation({ ...scene, after: 7 * DAY })).toMatchObject({
      state: 'not_verified',
      evidence: expect.stringContaining(`The device has been offline since ${timePlaceholder(EARLIER)}`),
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
      expect(
        evaluateTarget(
          observation({ command: reboot, target: { state, endedAt }, device: rebooted, queue: [waiting] }),
        ),
      ).toEqual({
        kind: 'same',
      });
    },
  );
});
