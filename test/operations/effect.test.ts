import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import {
  AT,
  answered,
  entry,
  queued,
  reboot,
  rebooted,
  type Scene,
  scan,
  seen,
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
      { command: reboot, target: answered, device: { uptime: 3, lastRefreshTime: AT(MINUTE) } },
      'verified',
    ],
    [
      'an uptime that fell, of an old refresh',
      { command: reboot, target: answered, device: { uptime: 3 } },
      'answered',
    ],
    [
      'an uptime that grew',
      { command: reboot, target: answered, device: { uptime: 5001, lastRefreshTime: AT(MINUTE) } },
      'answered',
    ],
    [
      'an uptime of zero is an uptime',
      { command: reboot, target: answered, device: { uptime: 0, lastRefreshTime: AT(MINUTE) } },
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
        device: { uptime: 3, lastRefreshTime: AT(MINUTE) },
      },
      'queued',
    ],
    [
      'a disconnect and return after a lost answer',
      { command: reboot, target: unknown, device: rebooted },
      'unknown',
    ],
  ])('%s', (_what, scene, state) => {
    expect(seen(scene).state).toBe(state);
  });

  it('names the time, and the cleared flag as support', () => {
    const scene = { command: reboot, target: answered, device: { ...rebooted, needsReboot: false } };
    expect(seen(scene).evidence).toBe(
      'The device disconnected at 2026-06-05 04:00 UTC and is connected again; it no longer needs a reboot.',
    );
  });

  it('after a lost answer needs the uptime, and says that nobody confirmed the command', () => {
    const device = { uptime: 3, lastRefreshTime: AT(MINUTE), needsReboot: true };
    expect(seen({ command: reboot, target: unknown, device })).toMatchObject({
      state: 'verified',
      evidence: 'The service never confirmed the command. The uptime of the device fell.',
    });
  });
});

describe('the proof of a scan', () => {
  it.each<readonly [string, Scene, string]>([
    ['a newer refresh', { command: scan, target: answered, device: { lastRefreshTime: AT(1) } }, 'verified'],
    [
      'a first refresh ever',
      {
        command: scan,
        target: answered,
        before: { lastRefreshTime: null },
        device: { lastRefreshTime: AT(1) },
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
      'a newer refresh while the command still waits',
      {
        command: scan,
        target: queued,
        queue: [entry(501, { of: scan })],
        device: { lastRefreshTime: AT(1) },
      },
      'queued',
    ],
  ])('%s', (_what, scene, state) => {
    expect(seen(scene).state).toBe(state);
  });
});
