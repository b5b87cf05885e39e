/** Those who wait for a turn: each until it is served, until its deadline, or until its caller gives up. */
import { type Instant, wallNow } from '../clock.ts';
import type { Lane } from './fleet.ts';
import type { Limited } from './limits.ts';

export type Place = {
  readonly lane: Lane;
  readonly request: Limited;
  /** Wall time until which waiting makes sense. */
  readonly deadline: Instant;
  /** A walk in the background outwaits our own limits; the deadline then only judges a pause of the service. */
  readonly patient?: boolean;
  readonly signal?: AbortSignal | undefined;
};

export type Turn =
  /** Go ahead, and call `leave` exactly once when done. */
  | { readonly kind: 'go'; readonly leave: () => void }
  /** The wait is longer than the deadline: waiting is useless. */
  | {
      readonly kind: 'throttled';
      readonly retryAfterMs: number;
      /** Our own limit, or a pause that the service asked for. */
      readonly by: 'limit' | 'pause';
    }
  | { readonly kind: 'late' }
  /** Nobody gets a turn any more. */
  | { readonly kind: 'closed' };

export type Waiter = Place & { readonly settle: (turn: Turn) => void };

/** Stands in `line`; a caller's own abort throws its reason. */
export function waitIn(line: Set<Waiter>, place: Place): Promise<Turn> {
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
    const late =
      place.patient === true
        ? undefined
        : setTimeout(() => settle({ kind: 'late' }), Math.max(place.deadline - wallNow(), 0));
    place.signal?.addEventListener('abort', abandon);
    line.add(waiter);
  });
}

/** Whether a wait of `ms` ends before the deadline. */
export function canOutwait({ deadline }: Place, ms: number): boolean {
  return wallNow() + ms <= deadline;
}
