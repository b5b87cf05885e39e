/** What the card of a rollout shows beside its request: a few reads, however many devices it has. */
import { type Clock, type Instant, later } from '../../lib/clock.ts';
import {
  HELD_BY_DEVICE,
  MAX_HELD_READ,
  mayWaitForDevices,
  offlineTargets,
  waitsOnlyForOffline,
} from '../../requests/decide/waits-offline.ts';
import { estimateRollout } from '../../rollout/estimate.ts';
import type { TargetState } from '../../store/port/records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { RolloutDetails } from '../../views/models/request-model.ts';

/** Devices that are read to group them by cause: of those that failed, and of those that got nothing. */
const MAX_PROBLEMS = 200;

export async function rolloutDetails(
  { requests, targets }: Pick<Store, 'requests' | 'targets'>,
  request: RequestWithTargets,
  clock: Pick<Clock, 'now'>,
): Promise<{ readonly details?: RolloutDetails }> {
  const { id, rollout, state, counts } = request;
  if (rollout === null || state === 'waiting') return {};
  const read = (states: readonly TargetState[], limit: number) =>
    states.every((state) => (counts[state] ?? 0) === 0) ? [] : targets.of(id, { states, limit });
  const [waves, failed, unsent, held] = await Promise.all([
    requests.waveCounts(id),
    read(['not_verified', 'refused', 'unknown'], MAX_PROBLEMS),
    read(['not_sent'], MAX_PROBLEMS),
    mayWaitForDevices(request) ? read(HELD_BY_DEVICE, MAX_HELD_READ) : [],
  ]);
  const now = clock.now();
  const problems = [...failed, ...unsent];
  const offline = offlineTargets(held, now);
  const end = earliestEnd(request);
  const onlyOffline = waitsOnlyForOffline(request, { wave: waves[rollout.wave], offline: offline.length });
  return {
    details: { waves, problems, offline, onlyOffline, endsAt: end !== null && end > now ? end : null },
  };
}

/** By the wave that runs and those to come. A hold may last as long as it likes. */
function earliestEnd({ action, rollout, startedAt }: RequestWithTargets): Instant | null {
  if (rollout === null || rollout.hold !== null || startedAt === null) return null;
  const { plan, wave, waveFrom } = rollout;
  const left = { ...plan, waves: plan.waves.slice(wave) };
  const { ms } = estimateRollout({ kind: action.kind, plan: left });
  return later(waveFrom > startedAt ? waveFrom : startedAt, ms);
}
