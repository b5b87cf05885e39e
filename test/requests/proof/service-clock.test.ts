/** Times of the service are compared with its own clock, however far it is from ours. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import { answered, at, deviceObservation, reboot, rebooted, type Scene } from './scenes.ts';

const base = { command: reboot, target: answered } as const;
const ahead = { aheadMs: 10 * MINUTE };

describe('by a clock that is ten minutes ahead', () => {
  it.each<readonly [string, Scene, string]>([
    [
      'a disconnect of before the command, and return, proves nothing',
      { ...base, device: { ...rebooted, lastDisconnectTime: at(9 * MINUTE) } },
      'answered',
    ],
    [
      'a disconnect of after the command, and return, proves a reboot',
      { ...base, device: { ...rebooted, lastDisconnectTime: at(11 * MINUTE) } },
      'verified',
    ],
    [
      'an uptime that fell before the command proves nothing',
      { ...base, device: { uptime: 3, lastRefreshTime: at(11 * MINUTE) } },
      'answered',
    ],
    [
      'an uptime that fell after the command proves a reboot',
      { ...base, device: { uptime: 1, lastRefreshTime: at(12 * MINUTE) } },
      'verified',
    ],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation({ ...scene, before: ahead }).state).toBe(state);
  });
});
