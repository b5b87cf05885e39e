/** Walks through the whole fleet: one at a time, and the next one on a schedule. */
import type { Lane } from '../../fleet/fleet.ts';
import { later, type Timer, waitOn } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { PAGE_PAUSE_MS } from '../../lib/list-pages.ts';
import type { Log } from '../../lib/log.ts';
import { type FleetWalkOptions, type RunningWalk, walkFleet } from './fleet-walk.ts';
import { backgroundWalkAfterMs, RETRY_MS, SMALL_FLEET, walkIntervalMs } from './refresh-pace.ts';

export type WalksOptions = Pick<FleetWalkOptions, 'fleet' | 'clock' | 'state' | 'persistence' | 'judge'> & {
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

export function createWalks(options: WalksOptions): Walks {
  const { clock, state, log, leads, signal } = options;
  let walking: RunningWalk | null = null;
  let timer: Timer | undefined;
  let started = false;

  const schedule = (ms: number): void => {
    timer?.cancel();
    if (!started || signal.aborted) return;
    timer = clock.at(later(clock.now(), ms), walkIfLeading);
  };
  /** A list that is doubted is soon read again. */
  const nextWalkMs = (): number => {
    const devices = state.rowStore.size();
    const usual = walkIntervalMs(devices);
    return state.doubts().length === 0
      ? usual
      : Math.min(usual, Math.max(RETRY_MS, backgroundWalkAfterMs(devices)));
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
    const done = walkFleet({ ...options, lane, onPage, since }).finally(() => {
      walking = null;
    });
    done.then(
      () => schedule(nextWalkMs()),
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
