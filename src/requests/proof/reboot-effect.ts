/** Whether a device restarted after the command: pure. */

import { type Instant, MINUTE } from '../../lib/clock.ts';
import { claimedThere, laterThanBaseline } from './baseline.ts';
import { type DeviceObservation, type Effect, open, proven } from './effect.ts';

/** By a new disconnect and the return from it, or by an uptime that fell to less than the time since the command. */
export function rebootEffect(seen: BaselineComparison): Effect {
  const left = disconnectedSince(seen);
  const flagCleared = isFlagCleared(seen);
  if (left !== null && seen.device.connected === true)
    return proven({ kind: 'restarted', left, flagCleared });
  const drop = uptimeDrop(seen);
  if (drop === 'since') return proven({ kind: 'uptime-dropped', flagCleared });
  if (left !== null) return open({ kind: 'not-back', left });
  return open({ kind: 'not-restarted', uptimeDropped: drop === 'perhaps-before' });
}

type BaselineComparison = Pick<DeviceObservation, 'target' | 'device' | 'now'>;

/** When the device went away after the command. The service may note late that it went away before. */
function disconnectedSince(seen: BaselineComparison): Instant | null {
  const { before } = seen.target;
  const left = laterThanBaseline(seen, before.lastDisconnectTime, seen.device.lastDisconnectTime);
  const since = claimedThere(before);
  return left !== null && since !== null && left >= since ? left : null;
}

/**
 * The uptime is as old as the last refresh (§2.2), so only a newer refresh can show a drop; and somebody else may have
 * restarted the device since the one before. Whether it counts minutes or seconds is disputed (management API in
 * practice, 5.1): what is short enough in minutes is so in seconds too.
 */
function uptimeDrop(seen: BaselineComparison): 'none' | 'perhaps-before' | 'since' {
  const { device } = seen;
  const { before } = seen.target;
  const refreshed = laterThanBaseline(seen, before.lastRefreshTime, device.lastRefreshTime);
  if (before.uptime === null || device.uptime === null || refreshed === null) return 'none';
  if (device.uptime >= before.uptime) return 'none';
  const since = claimedThere(before);
  // The uptime is cut to whole minutes: where the device was read long before the claim, the whole minute counts.
  const minutes = before.from === undefined ? device.uptime : device.uptime + 1;
  return since !== null && minutes * MINUTE <= refreshed - since ? 'since' : 'perhaps-before';
}

/** A cleared flag supports the proof and never suffices: an update may clear it too. */
function isFlagCleared({ target, device }: BaselineComparison): boolean {
  return target.before.needsReboot === true && device.needsReboot === false;
}
