/** Times of the service are compared with its own clock, however far it is from ours. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import { answered, deviceObservation, reboot, rebooted, SCENE_TIME, type Scene } from './scenes.ts';

const base = { command: reboot, target: answered } as const;
const ahead = { aheadMs: 10 * MINUTE };

describe('by a clock that is ten minutes ahead', () => {
  it.each<readonly [string, Scene, string]>([
    [
      'a disconnect of before the command, and return, proves nothing',
      { ...base, device: { ...rebooted, lastDisconnectTime: SCENE_TIME(9 * MINUTE) } },
      'answered',
    ],
    [
      'a disconnect of after the command, and return, proves a reboot',
      { ...base, device: { ...rebooted, lastDisconnectTime: SCENE_TIME(11 * MINUTE) } },
      'verified',
    ],
    [
      'an uptime that fell before the command proves nothing',
      { ...base, device: { uptime: 3, lastRefreshTime: SCENE_TIME(11 * MINUTE) } },
      'answered',
    ],
    [
      'an uptime that fell after the command proves a reboot',
      { ...base, device: { uptime: 1, lastRefreshTime: SCENE_TIME(12 * MINUTE) } },
      'verified',
    ],
  ])('%s', (_what, scene, state) => {
    expect(deviceObservation({ ...scene, before: ahead }).state).toBe(state);
  });
});
