/** Calls that wait for a turn: each until it is served, until its deadline, or until its caller gives up. */
import { type Instant, wallNow } from '../../lib/clock.ts';
import type { Lane } from '../fleet.ts';
import type { LimitedRequest } from './rate-limits.ts';

export type TurnRequest = {
  readonly lane: Lane;
  readonly request: LimitedRequest;
  /** Wall time after which waiting is pointless. */
  readonly deadline: Instant;
  /**
   * A background walk waits out our own limits, whatever they take; its deadline then applies only to a pause of the
   * service.
   */
  readonly patient?: boolean;
  readonly signal?: AbortSignal | undefined;
};

export type Turn =
  /** Send, and call `leave` exactly once when done. */
  | { readonly kind: 'go'; readonly leave: () => void }
  /** The wait is longer than the deadline: waiting is useless. */
  | {
      readonly kind: 'throttled';
      readonly retryAfterMs: number;
      /** Our own limit, or a pause that the service asked for. */
      readonly by: 'limit' | 'pause';
    }
  | { readonly kind: 'late' }
  /** No more turns are granted. */
  | { readonly kind: 'closed' };

export type Waiter = TurnRequest & { readonly settle: (turn: Turn) => void };

/** Waits among `waiters`; a caller's own abort throws its reason. */
export function waitForTurn(waiters: Set<Waiter>, turnRequest: TurnRequest): Promise<Turn> {
  return new Promise((resolve, reject) => {
    turnRequest.signal?.throwIfAborted();
    const removeWaiter = () => {
      clearTimeout(late);
      turnRequest.signal?.removeEventListener('abort', abandon);
      waiters.delete(waiter);
    };
    const settle = (turn: Turn) => {
      removeWaiter();
      resolve(turn);
    };
    const abandon = () => {
      removeWaiter();
      reject(turnRequest.signal?.reason);
    };
    const waiter: Waiter = { ...turnRequest, settle };
    const late =
      turnRequest.patient === true
        ? undefined
        : setTimeout(() => settle({ kind: 'late' }), Math.max(turnRequest.deadline - wallNow(), 0));
    turnRequest.signal?.addEventListener('abort', abandon);
    waiters.add(waiter);
  });
}

/** Whether a wait of `ms` ends before the deadline. */
export function canWait({ deadline }: TurnRequest, ms: number): boolean {
  return wallNow() + ms <= deadline;
}
