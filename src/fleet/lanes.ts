/**
 * Who may call now: a few calls at once, a person before background work, and a pause for everybody when
 * the service says it had enough. Pauses live on the clock, like all rate limits; deadlines on wall time.
 */
import { type Clock, type Instant, later, type Timer, wallNow } from '../clock.ts';
import type { Lane } from './fleet.ts';

export type Place = {
  readonly lane: Lane;
  /** Wall time until which waiting makes sense. */
  readonly deadline: Instant;
  readonly signal?: AbortSignal | undefined;
};

export type Turn =
  /** Go ahead, and call `leave` exactly once when done. */
  | { readonly kind: 'go'; readonly leave: () => void }
  /** The pause is longer than the deadline: waiting is useless. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  | { readonly kind: 'late' };

export type Lanes = {
  /** Waits for a turn. A caller's own abort throws its reason. */
  readonly enter: (place: Place) => Promise<Turn>;
  /** Nobody starts for `ms` of clock; a longer pause that runs already stays. */
  readonly pause: (ms: number) => void;
};

type Waiter = Place & { readonly settle: (turn: Turn) => void };

/** Calls at once: what the live service bears well (management API in practice, 2.3 and 15). */
const DEFAULT_CONCURRENCY = 4;

export function createLanes(options: { readonly clock: Clock; readonly concurrency?: number }): Lanes {
  const { clock, concurrency = DEFAULT_CONCURRENCY } = options;
  const waiting: Record<Lane, Set<Waiter>> = { person: new Set(), background: new Set() };
  const inOrder = () => [...waiting.person, ...waiting.background];
  let running = 0;
  let pausedUntil: Instant = clock.now();
  let wake: Timer | undefined;

  const leaveOnce = () => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      running -= 1;
      serve();
    };
  };
  const serve = (): void => {
    const pauseLeft = pausedUntil - clock.now();
    if (pauseLeft > 0) return void dismissHopeless(inOrder(), pauseLeft);
    for (const waiter of inOrder().slice(0, concurrency - running)) {
      running += 1;
      waiter.settle({ kind: 'go', leave: leaveOnce() });
    }
  };

  return {
    enter(place) {
      const turn = waitIn(waiting[place.lane], place);
      serve();
      return turn;
    },
    pause(ms) {
      const until = later(clock.now(), ms);
      if (until <= pausedUntil) return;
      pausedUntil = until;
      wake?.cancel();
      wake = clock.at(until, serve);
      serve();
    },
  };
}

function dismissHopeless(waiters: readonly Waiter[], retryAfterMs: number): void {
  for (const waiter of waiters)
    if (wallNow() + retryAfterMs > waiter.deadline) waiter.settle({ kind: 'throttled', retryAfterMs });
}

/** Stands in `line` until served, until the deadline, or until the caller gives up. */
function waitIn(line: Set<Waiter>, place: Place): Promise<Turn> {
  return new Promise((resolve, reject) => {
    place.signal?.throwIfAborted();
    const forget = () => {
      clearTimeout(late);
      place.signal?.removeEventListener('abort', abandon);
      line.delete(waiter);
    };
    const settle = (turn: Turn) => {
      forget();
      resolve(turn);
    };
    const abandon = () => {
      forget();
      reject(place.signal?.reason);
    };
    const waiter: Waiter = { ...place, settle };
    const late = setTimeout(() => settle({ kind: 'late' }), Math.max(place.deadline - wallNow(), 0));
    place.signal?.addEventListener('abort', abandon);
    line.add(waiter);
  });
}
