/**
 * Rollouts beyond what a bench can run: the plan, the waves, the limits and the looks of the product, with requests that
 * take their time on a virtual clock and no database. Unlike the product it sends nothing while pages of a wave are read
 * again. `node test/bench/rollouts/print-simulation.ts` prints the table.
 */
import { createRequestLimits } from '../../../src/fleet/limits/rate-limits.ts';
import { HOUR, type Instant, instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { LIST_PAGE } from '../../../src/lib/list-pages.ts';
import { nextListLookAt } from '../../../src/requests/list-following.ts';
import { MAX_LISTED_AGE_MS, MAX_PAGES_IN_WAVE } from '../../../src/requests/run/read-ahead.ts';
import { planRollout, waveRange } from '../../../src/rollout/plan.ts';
import { afterEnd, startRollout } from '../../../src/rollout/progress.ts';
import { CALLS, type CallKind } from './simulated-service.ts';

const START = instant(Date.UTC(2026, 5, 5));
/** Background calls at once: one of four is kept for people. */
const PLACES = 3;
/** A device restarts, and the service notes it, within this time. */
const RESTART_MS = [30 * SECOND, 150 * SECOND] as const;
/** As in `wave-pages.ts`. */
const KEPT_DEVICES = 5_000;

export type SimulatedRollout = {
  readonly hours: number;
  readonly requests: number;
  readonly pages: number;
  readonly singles: number;
  readonly walkMinutes: number;
};

/** A rollout of reboots to the whole fleet. */
export function simulate(devices: number, latencyMs: number): SimulatedRollout {
  let now = START;
  const limits = createRequestLimits({ now: () => now, at: () => ({ cancel: () => undefined }) });
  const places = Array.from({ length: PLACES }, () => START);
  const counts = { list: 0, queue: 0, command: 0, device: 0 };
  const pages = Math.ceil(devices / LIST_PAGE);
  let rollout = startRollout(planRollout(devices), START);
  const shownAt = new Float64Array(devices);
  const proven = new Uint8Array(devices);
  const toProve: number[] = [];
  let provenInWave = 0;
  let longestWalk = 0;

  const freeAt = (request: CallKind): Instant => limits.freeAt(CALLS[request], 'background', now);
  /** Makes a request on the first free place. */
  const call = (request: CallKind): void => {
    const place = places.indexOf(instant(Math.min(...places)));
    now = instant(Math.max(now, places[place] ?? now));
    now = instant(Math.max(now, freeAt(request)));
    limits.take(CALLS[request], now);
    counts[request] += 1;
    places[place] = later(now, latencyMs);
  };
  /** Whether a page may be read now; others go on meanwhile. */
  const mayPage = (): boolean => freeAt('list') <= now;

  while (rollout.wave < rollout.plan.waves.length) {
    const range = waveRange(rollout.plan, rollout.wave);
    if (range === null) break;
    for (let page = 0; page < pages; page += 1) call('list');
    let keptFrom = range.from;
    let keptAt = now;
    let walk: { page: number; readonly startedAt: Instant } | null = null;
    let walkAt = later(now, 15 * SECOND);
    let next = range.from;
    provenInWave = 0;
    while (provenInWave < range.to - range.from) {
      if (walk === null && now >= walkAt) walk = { page: 0, startedAt: now };
      if (walk !== null && mayPage()) {
        call('list');
        for (let at = walk.page * LIST_PAGE; at < Math.min((walk.page + 1) * LIST_PAGE, devices); at += 1) {
          const shown = shownAt[at] ?? 0;
          if (shown > 0 && shown <= now && proven[at] === 0) {
            proven[at] = 1;
            toProve.push(at);
          }
        }
        walk.page += 1;
        if (walk.page === pages) {
          longestWalk = Math.max(longestWalk, now - walk.startedAt);
          walkAt = nextListLookAt(walk.startedAt, pages);
          walk = null;
        }
      } else if (toProve.pop() !== undefined) {
        call('queue');
        provenInWave += 1;
      } else if (next < range.to) {
        const isKept = next - keptFrom < KEPT_DEVICES && now - keptAt <= MAX_LISTED_AGE_MS;
        if (!isKept && pages <= MAX_PAGES_IN_WAVE) {
          for (let page = 0; page < pages; page += 1) call('list');
          keptFrom = next;
          keptAt = now;
        } else if (!isKept) call('device');
        call('queue');
        call('command');
        const [least, most] = RESTART_MS;
        shownAt[next] = now + least + ((next * 7_919) % (most - least));
        next += 1;
      } else now = later(now, SECOND);
    }
    const total = range.to - range.from;
    const wave = rollout.wave;
    rollout = afterEnd(rollout, { total, open: 0, verified: total, notSent: 0 }, now);
    if (rollout.wave === wave) break;
  }
  return {
    hours: (now - START) / HOUR,
    requests: counts.list + counts.queue + counts.command + counts.device,
    pages: counts.list,
    singles: counts.queue + counts.command + counts.device,
    walkMinutes: longestWalk / MINUTE,
  };
}
