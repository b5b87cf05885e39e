/** For how many offline devices each rollout of a list waits: one read for all of them. */
import { changesRecord } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { TargetStore } from '../../store/port/request-store.ts';
import { expectedUntil } from '../look-schedule.ts';
import { countHeld, HELD_BY_DEVICE, MAX_HELD_READ } from './waits-offline.ts';

export async function withOfflineCounts(
  { targets }: { readonly targets: Pick<TargetStore, 'countDueAfter'> },
  requests: readonly RequestWithTargets[],
  now: Instant,
): Promise<readonly RequestWithTargets[]> {
  const waiting = requests.filter(mayWaitForDevices).map(({ id }) => id);
  if (waiting.length === 0) return requests;
  const counts = await targets.countDueAfter(waiting, HELD_BY_DEVICE, expectedUntil(now));
  return requests.map((request) => {
    const offline = counts.get(request.id);
    return offline === undefined ? request : { ...request, offline };
  });
}

function mayWaitForDevices({ rollout, state, action, counts }: RequestWithTargets): boolean {
  const held = countHeld(counts);
  return (
    rollout !== null && state === 'running' && !changesRecord(action) && held > 0 && held <= MAX_HELD_READ
  );
}
