/** For which devices a rollout waits because they are offline. */

import { changesRecord } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import { countIn } from '../../rollout/results.ts';
import type {
  RequestRecord,
  RequestTarget,
  RequestWithTargets,
  TargetCounts,
} from '../../store/port/request-records.ts';
import type { TargetStore } from '../../store/port/request-store.ts';
import { expectedUntil, isExpectedSoon } from '../look-schedule.ts';

/** In which a device holds a command that it did not run yet. */
export const HELD_BY_DEVICE = ['accepted', 'queued'] as const;

/** While more have the command, offline ones are not counted: each would have to be read. Our own figure. */
export const MAX_HELD_READ = 200;

/** Whether targets in {@link HELD_BY_DEVICE} are to be read. An edit needs no device. */
export function mayWaitForDevices({ action, counts }: Pick<RequestRecord, 'action' | 'counts'>): boolean {
  const held = countIn(counts, HELD_BY_DEVICE);
  return !changesRecord(action) && held > 0 && held <= MAX_HELD_READ;
}

/**
 * Whether a rollout waits for nothing but `offline` devices that have the command: nothing of its wave is left to be
 * sent, and whatever else was sent has ended.
 */
export function waitsOnlyForOffline(
  { counts: { open = 0, ready = 0 } }: Pick<RequestRecord, 'counts'>,
  { wave = {}, offline }: { readonly wave: TargetCounts | undefined; readonly offline: number },
): boolean {
  return offline > 0 && offline === open - ready && (wave.ready ?? 0) === 0;
}

/** Of the targets in {@link HELD_BY_DEVICE}. */
export function offlineTargets(held: readonly RequestTarget[], now: Instant): readonly RequestTarget[] {
  return held.filter((target) => !isExpectedSoon(target, now));
}

/** With how many offline devices each rollout of a list waits for: one read for all of them. */
export async function withOfflineCounts(
  { targets }: { readonly targets: Pick<TargetStore, 'countDueAfter'> },
  requests: readonly RequestWithTargets[],
  now: Instant,
): Promise<readonly RequestWithTargets[]> {
  const waiting = requests
    .filter((one) => one.rollout !== null && one.state === 'running' && mayWaitForDevices(one))
    .map(({ id }) => id);
  if (waiting.length === 0) return requests;
  const counts = await targets.countDueAfter(waiting, HELD_BY_DEVICE, expectedUntil(now));
  return requests.map((request) => {
    const offline = counts.get(request.id);
    return offline === undefined ? request : { ...request, offline };
  });
}
