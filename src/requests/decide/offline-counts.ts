/** For how many offline devices each rollout of a list waits: one read for all of them. */
import type { Instant } from '../../lib/clock.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { TargetStore } from '../../store/port/request-store.ts';
import { expectedUntil } from '../look-schedule.ts';
import { HELD_BY_DEVICE, mayWaitForDevices } from './waits-offline.ts';

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
