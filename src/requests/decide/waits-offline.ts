/** For which devices a rollout waits because they are offline. Pure. */
import { changesRecord, type FleetAction } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import { countIn, type RequestTarget, type TargetCounts } from '../../store/port/request-records.ts';
import { isExpectedSoon } from '../look-schedule.ts';

/** In which a device holds a command that it did not run yet. */
export const HELD_BY_DEVICE = ['accepted', 'queued'] as const;

/** While more have the command, offline ones are not counted: each would have to be read. Our own figure. */
export const MAX_HELD_READ = 200;

export function countHeld(counts: TargetCounts): number {
  return countIn(counts, HELD_BY_DEVICE);
}

/** Of the targets in {@link HELD_BY_DEVICE}. An edit needs no device. */
export function offlineTargets(
  action: FleetAction,
  held: readonly RequestTarget[],
  now: Instant,
): readonly RequestTarget[] {
  return changesRecord(action) ? [] : held.filter((target) => !isExpectedSoon(target, now));
}
