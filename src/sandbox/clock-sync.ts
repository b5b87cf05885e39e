/**
 * Moves the clocks of several processes together. A clock is set by its offset from wall time, so two clocks with the
 * same offset agree whenever each of them was set.
 */
import { type MovableClock, SECOND, wallNow } from '../lib/clock.ts';

/** How far this clock is ahead of wall time. */
export function offsetOf(clock: Pick<MovableClock, 'now'>): number {
  return clock.now() - wallNow();
}

/** Moves the clock until it is `offsetMs` ahead of wall time, firing what is due; never back. */
export async function moveClockTo(clock: MovableClock, offsetMs: number): Promise<void> {
  await clock.advance(offsetMs - offsetOf(clock));
  // The time that passed while tasks ran counted as part of the way; this adds it again.
  await clock.advance(offsetMs - offsetOf(clock));
}

type AdvanceClocksOptions = {
  /** The world's clock: devices, triggers, response URLs. */
  readonly clock: MovableClock;
  /** Brings the other processes to the time of `clock`; resolves when what was due there is done. */
  readonly follow: () => Promise<void>;
};

/** A long move is cut into at most this many slices, so that the bot sees the world change step by step. */
const MAX_STEPS = 120;
const MIN_STEP_MS = 5 * SECOND;
/** Wall time that one slice, and the whole move, may take; then the rest moves in one step. */
const STEP_TIMEOUT_MS = 2 * SECOND;
const TOTAL_TIMEOUT_MS = 20 * SECOND;

/** Returns a function that moves time by `ms`; one move at a time. */
export function createAdvanceClocks({ clock, follow }: AdvanceClocksOptions): (ms: number) => Promise<void> {
  return async (ms) => {
    const start = offsetOf(clock);
    const slice = Math.max(ms / MAX_STEPS, MIN_STEP_MS);
    const deadline = wallNow() + TOTAL_TIMEOUT_MS;
    for (let moved = 0; moved < ms; ) {
      moved = wallNow() < deadline ? Math.min(moved + slice, ms) : ms;
      await within(STEP_TIMEOUT_MS, [moveClockTo(clock, start + moved)], () => undefined);
      await within(STEP_TIMEOUT_MS, [follow()], () => undefined);
    }
  };
}

export type FollowedMoves = {
  readonly travel: (ms: number) => Promise<void>;
  /** Whether the product is not yet at the time to which the clock was moved. */
  readonly isBehind: () => boolean;
  /** Resolves when it is, or after so long that something holds it up. */
  readonly caughtUp: () => Promise<void>;
};

/**
 * A move may end before the product did what fell due on the way. `onChange` is called when one begins and when it has.
 */
export function followMoves(
  travel: (ms: number) => Promise<void>,
  { follow }: Pick<AdvanceClocksOptions, 'follow'>,
  onChange: () => void,
): FollowedMoves {
  const moves = new Set<Promise<void>>();
  return {
    travel(ms) {
      const moved = travel(ms);
      const arrived = moved.then(follow).finally(() => {
        moves.delete(arrived);
        onChange();
      });
      moves.add(arrived);
      onChange();
      return moved;
    },
    isBehind: () => moves.size > 0,
    async caughtUp() {
      await within<unknown>(TOTAL_TIMEOUT_MS, [Promise.allSettled(moves)], () => undefined);
    },
  };
}

/** The first of these that settles in this time, otherwise the result of `late`; the work continues. */
export async function within<T>(ms: number, work: readonly Promise<T>[], late: () => T): Promise<T> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([...work, tooLong.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
