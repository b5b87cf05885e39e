/** What the card of a rollout shows beside its request: a few reads, however many devices it has. */
import { later } from '../../lib/clock.ts';
import { estimateRollout } from '../../rollout/estimate.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { RolloutDetails } from '../../views/models/request-model.ts';

/** Devices that are read to group them by cause. */
const MAX_PROBLEMS = 200;

export async function rolloutDetails(
  { requests, targets }: Pick<Store, 'requests' | 'targets'>,
  { id, action, rollout, state, startedAt }: RequestWithTargets,
): Promise<{ readonly details?: RolloutDetails }> {
  if (rollout === null || state === 'waiting') return {};
  const [waves, problems] = await Promise.all([
    requests.waveCounts(id),
    targets.of(id, { states: ['not_verified', 'refused', 'unknown'], limit: MAX_PROBLEMS }),
  ]);
  const { ms } = estimateRollout({ kind: action.kind, plan: rollout.plan });
  const endsAt = startedAt === null || rollout.hold !== null ? null : later(startedAt, ms);
  return { details: { waves, problems, endsAt } };
}
