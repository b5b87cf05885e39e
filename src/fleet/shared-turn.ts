/** A turn of this process and, for the list of devices, a place among the requests of all processes. */
import type { RequestBudget } from './budget.ts';
import { isDeviceList, LIST_LIMIT } from './limits.ts';
import { canOutwait, type Place, type Turn } from './line.ts';
import type { Scheduler } from './scheduler.ts';

export type SharedTurns = {
  readonly scheduler: Pick<Scheduler, 'enter'>;
  /** Null: nobody else uses the key. */
  readonly budget: RequestBudget | null;
  /** On the clock; ends early when the client is closed, and throws the reason of a caller's abort. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/** Waits for both. The place is taken last, so that it is used within the moment in which it counts. */
export async function enterShared({ scheduler, budget, wait }: SharedTurns, place: Place): Promise<Turn> {
  for (;;) {
    const turn = await scheduler.enter(place);
    if (turn.kind !== 'go' || budget === null || !isDeviceList(place.request)) return turn;
    const waitMs = await budget.takeList({ ...LIST_LIMIT, lane: place.lane });
    if (waitMs === null) return turn;
    turn.leave();
    if (place.patient !== true && !canOutwait(place, waitMs))
      return { kind: 'throttled', retryAfterMs: waitMs, by: 'limit' };
    await wait(waitMs, place.signal);
  }
}
