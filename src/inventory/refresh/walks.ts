/** Walks through the whole fleet: one at a time, and the next one on a schedule. */
import type { Lane } from '../../fleet/fleet.ts';
import { later, type Timer, waitOn } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { PAGE_PAUSE_MS } from '../../lib/list-pages.ts';
import type { Log } from '../../lib/log.ts';
import { type FleetWalkOptions, type RunningWalk, walkFleet } from './fleet-walk.ts';
import { RETRY_MS, SMALL_FLEET, walkIntervalMs } from './refresh-pace.ts';

export type WalksOptions = Pick<FleetWalkOptions, 'fleet' | 'clock' | 'state' | 'persistence'> & {
  readonly log: Log;
  /** Whether this process reads the whole fleet on schedule. */
  readonly leads: () => boolean;
  readonly signal: AbortSignal;
};

export type Walks = {
  /** Starts the schedule, with a walk at once where this process leads. */
  readonly start: () => void;
  readonly stop: () => void;
  /** Moves the next scheduled walk. */
  readonly schedule: (ms: number) => void;
  /** The running walk, or else a new one in this lane. A walk for a person skips the pauses. */
  readonly walk: (lane: Lane) => RunningWalk;
  readonly walking: () => RunningWalk | null;
};

export function createWalks({ fleet, clock, state, persistence, log, leads, signal }: WalksOptions): Walks {
  let walking: RunningWalk | null = null;
  let timer: Timer | undefined;
  let started = false;

  const schedule = (ms: number): void => {
    timer?.cancel();
    if (!started || signal.aborted) return;
    timer = clock.at(later(clock.now(), ms), walkIfLeading);
  };
  const walkIfLeading = (): void => {
    if (leads()) walk('background');
    else schedule(walkIntervalMs(state.rowStore.size()));
  };

  const walk = (lane: Lane): RunningWalk => {
    walking ??= begin(lane);
    if (lane === 'person') walking.hurry();
    return walking;
  };

  const begin = (lane: Lane): RunningWalk => {
    const large = Promise.withResolvers<void>();
    const hurried = Promise.withResolvers<void>();
    const since = { seen: new Set<DeviceId>(), removed: new Set<DeviceId>() };
    let total: number | null = null;
    const onPage = async (reportedTotal: number | null): Promise<void> => {
      total = reportedTotal ?? total;
      if (Math.max(total ?? 0, state.rowStore.size()) <= SMALL_FLEET) return;
      large.resolve();
      // The first walk goes as fast as it may, because the index is incomplete until it ends.
      if (state.lastWalk() !== null) await waitOn(clock, PAGE_PAUSE_MS, hurried.promise);
    };
    const done = walkFleet({ fleet, clock, state, persistence, lane, signal, onPage, since }).finally(() => {
      walking = null;
    });
    done.then(
      () => schedule(walkIntervalMs(state.rowStore.size())),
      (error: unknown) => {
        if (signal.aborted) return;
        log.warn({ event: 'inventory.failed', err: error }, 'could not read the fleet');
        schedule(RETRY_MS);
      },
    );
    const startedAt = clock.now();
    return { startedAt, done, large: large.promise, total: () => total, hurry: hurried.resolve, since };
  };

  return {
    start() {
      started = true;
      walkIfLeading();
    },
    stop() {
      walking?.hurry();
      timer?.cancel();
    },
    schedule,
    walk,
    walking: () => walking,
  };
}
