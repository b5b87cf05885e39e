import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { aResponse } from '../../harness/builders.ts';
import { EARLIER, SENT } from '../builders.ts';
import { aPackage } from '../fleet-builders.ts';
import {
  answered,
  deviceObservation,
  entry,
  patch,
  patchAll,
  queued,
  reboot,
  rebooted,
  SCENE_TIME,
  type Scene,
  scan,
  unknown,
  waiting,
} from './scenes.ts';

describe('the proof of a reboot', () => {
  it.each<readonly [string, Scene, string]>([
    ['a new disconnect and return', { command: reboot, target: answered, device: rebooted }, 'verified'],
    ['the same before we ever saw it queued', { command: reboot, device: rebooted }, 'verified'],
    [
      'a first disconnect ever',
      { command: reboot, target: answered, before: { lastDisconnectTime: null }, device: rebooted },
      'verified',
    ],
    [
      'a disconnect of before the command, which the service noted late, and return',
      {
        command: reboot,
        target: answered,
        device: { ...rebooted, lastDisconnectTime: SCENE_TIME(-6 * MINUTE) },
      },
      'answered',
    ],
    [
      'a new disconnect by a clock that is a little behind, and return',
      {
        command: reboot,
        target: answered,
        before: { aheadMs: -5 * MINUTE },
        device: { ...rebooted, lastDisconnectTime: SCENE_TIME(-4 * MINUTE) },
      },
      'verified',
    ],
    [
      'a new disconnect, not back yet',
      { command: reboot, target: answered, device: { ...rebooted, connected: false } },
      'answered',
    ],
    [
      'a new disconnect, nobody says whether it is back',
      { command: reboot, target: answered, device: { ...rebooted, connected: null } },
      'answered',
    ],
    [
      'an uptime that fell with a newer refresh',
      { command: reboot, target: answered, device: { uptime: 1, lastRefreshTime: SCENE_TIME(MINUTE) } },
      'verified',
    ],
    [
      'an uptime that fell, of an old refresh',
      { command: reboot, target: answered, device: { uptime: 1 } },
      'answered',
    ],
    [
      'an uptime that fell, to more than the time since the command',
      { command: reboot, target: answered, device: { uptime: 7, lastRefreshTime: SCENE_TIME(MINUTE) } },
      'answered',
    ],
    [
      'an uptime that fell, in seconds, to what may be minutes from before the command',
      { command: reboot, target: answered, device: { uptime: 45, lastRefreshTime: SCENE_TIME(MINUTE) } },
      'answered',
    ],
    [
      'an uptime that grew',
      { command: reboot, target: answered, device: { uptime: 5001, lastRefreshTime: SCENE_TIME(MINUTE) } },
      'answered',
    ],
    [
      'an uptime of zero is an uptime',
      { command: reboot, target: answered, device: { uptime: 0, lastRefreshTime: SCENE_TIME(MINUTE) } },
      'verified',
    ],
    [
      'a cleared flag alone',
      { command: reboot, target: answered, device: { needsReboot: false } },
      'answered',
    ],
    [
      'a disconnect and return while the command still waits',
      { command: reboot, target: queued, queue: [waiting], device: rebooted },
      'queued',
    ],
    [
      'a fallen uptime while the command still waits',
      {
        command: reboot,
        target: queued,
        queue: [waiting],
        device: { uptime: 1, lastRefreshTime: SCENE_TIME(MINUTE) },
      },
      'queued',
    ],
    [
      'a disconnect and return after a lost answer',
      { command: reboot, target: unknown, device: rebooted },
      'unknown',
    ],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation(scene).state).toBe(state);
  });

  it('names the time, and the cleared flag as support', () => {
    const scene = { command: reboot, target: answered, device: { ...rebooted, needsReboot: false } };
    expect(deviceObservation(scene).evidence).toEqual([
      { kind: 'restarted', left: rebooted.lastDisconnectTime, flagCleared: true },
      { kind: 'answered', exitCode: 0 },
    ]);
  });

  it('says of a fall that proves nothing why it does not', () => {
    const device = { uptime: 7, lastRefreshTime: SCENE_TIME(MINUTE) };
    expect(deviceObservation({ command: reboot, target: answered, device }).evidence).toContainEqual({
      kind: 'not-restarted',
      uptimeDropped: true,
    });
  });

  it.each<readonly [string, Scene['device']]>([
    ['an unknown disconnect before, and an old one now', { lastDisconnectTime: EARLIER }],
    ['an unknown disconnect before, and one of the very moment', { lastDisconnectTime: SENT }],
    ['an unknown refresh before, and a fallen uptime of an old one', { uptime: 1, lastRefreshTime: EARLIER }],
  ])('is not %s', (_what, device) => {
    const before = { lastDisconnectTime: null, lastRefreshTime: null };
    const none = { lastDisconnectTime: null, lastRefreshTime: null };
    expect(
      deviceObservation({ command: reboot, target: answered, before, device: { ...none, ...device } }).state,
    ).toBe('answered');
  });
});

describe('the proof of a scan', () => {
  it.each<readonly [string, Scene, string]>([
    [
      'a newer refresh',
      { command: scan, target: answered, device: { lastRefreshTime: SCENE_TIME(1) } },
      'verified',
    ],
    [
      'a first refresh ever',
      {
        command: scan,
        target: answered,
        before: { lastRefreshTime: null },
        device: { lastRefreshTime: SCENE_TIME(1) },
      },
      'verified',
    ],
    ['the same refresh', { command: scan, target: answered }, 'answered'],
    [
      'no refresh time any more',
      { command: scan, target: answered, device: { lastRefreshTime: null } },
      'answered',
    ],
    [
      'an old refresh where none was known',
      { command: scan, target: answered, before: { lastRefreshTime: null } },
      'answered',
    ],
    [
      'a newer refresh while the command still waits',
      {
        command: scan,
        target: queued,
        queue: [entry(501, { of: scan })],
        device: { lastRefreshTime: SCENE_TIME(1) },
      },
      'queued',
    ],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation(scene).state).toBe(state);
  });
});

describe('an effect after a lost answer', () => {
  const installed = [aPackage('curl', { installed: true }), aPackage('openssl', { installed: true })];
  const fallen = { uptime: 1, lastRefreshTime: SCENE_TIME(MINUTE) };
  const EFFECTS: readonly (readonly [string, Scene])[] = [
    ['a disconnect and return', { command: reboot, device: rebooted }],
    ['a fallen uptime', { command: reboot, device: fallen }],
    ['a newer refresh', { command: scan, device: { lastRefreshTime: SCENE_TIME(1) } }],
    ['installed packages', { command: patch, packages: installed }],
    ['nothing left to install', { command: patchAll, packages: installed }],
  ];

  it.each(EFFECTS)('is shown and proves nothing: %s', (_what, scene) => {
    const target = deviceObservation({ ...scene, target: unknown });
    expect(target).toMatchObject({ state: 'unknown', endedAt: null });
    expect(target.evidence).toEqual([expect.anything(), { kind: 'cause-unknown' }]);
  });

  it.each(EFFECTS)('ends unknown at the deadline: %s', (_what, scene) => {
    const target = deviceObservation({ ...scene, target: unknown, after: 30 * MINUTE });
    expect(target).toMatchObject({ state: 'unknown', endedAt: SCENE_TIME(30 * MINUTE) });
    expect(target.evidence).toEqual([expect.anything(), { kind: 'cause-unknown' }]);
  });

  it('proves the command once its entry was seen in the queue', () => {
    const queue = [entry(501, { of: scan, response: aResponse(0, 'done') })];
    const scene = { command: scan, target: unknown, queue, device: { lastRefreshTime: SCENE_TIME(1) } };
    expect(deviceObservation(scene)).toMatchObject({ state: 'verified', acceptedAt: null });
  });
});

describe('what happens while the command still waits', () => {
  const flapped = {
    lastDisconnectTime: SCENE_TIME(20 * SECOND),
    lastRefreshTime: SCENE_TIME(20 * SECOND),
    uptime: 1,
  };
  const refused = { response: aResponse(-1, 'postponed by user'), responseTime: SCENE_TIME(55 * SECOND) };

  it.each([
    ['a reboot', reboot],
    ['a scan', scan],
  ] as const)('is no proof of %s', (_what, command) => {
    const waits = deviceObservation({
      command,
      target: queued,
      queue: [entry(501, { of: command })],
      device: flapped,
    });
    expect(waits).toMatchObject({ state: 'queued', before: flapped });
    const queue = [entry(501, { of: command, ...refused })];
    const device = { ...flapped, uptime: 60 };
    const after = deviceObservation({
      command,
      target: waits,
      before: waits.before,
      queue,
      device,
      after: 2 * MINUTE,
    });
    expect(after).toMatchObject({ state: 'answered', response: 'exit code -1' });
    const again = {
      ...device,
      lastRefreshTime: SCENE_TIME(3 * MINUTE),
      lastDisconnectTime: SCENE_TIME(3 * MINUTE),
    };
    const done = deviceObservation({
      command,
      target: after,
      before: after.before,
      device: again,
      after: 4 * MINUTE,
    });
    expect(done.state).toBe('verified');
    expect(done.evidence[1]).toEqual({ kind: 'answered', exitCode: -1 });
    expect(done.evidence[0]?.kind).toMatch(/^(restarted|refreshed)$/);
  });

  it('keeps what was known where the service says nothing for a moment', () => {
    const device = { lastDisconnectTime: null, lastRefreshTime: null, uptime: null };
    const target = deviceObservation({ command: reboot, target: queued, queue: [waiting], device });
    expect(target.before).toMatchObject({
      lastDisconnectTime: EARLIER,
      lastRefreshTime: EARLIER,
      uptime: 5000,
    });
  });

  it('may be the effect where one of two entries waits, so the comparison stays', () => {
    const queue = [waiting, entry(502, { of: reboot, response: aResponse(0) })];
    const target = deviceObservation({ command: reboot, queue, device: flapped });
    expect(target.before).toMatchObject({ lastDisconnectTime: EARLIER, uptime: 5000 });
  });
});
