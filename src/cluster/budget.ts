/** This process's part of the request budget, as the last heartbeats left it. */
import { monotonicNow } from '../clock.ts';
import type { RequestBudget } from '../fleet/budget.ts';
import type { Log } from '../log.ts';
import { HOLD_MS, SHARE_MS, WHOLE } from '../store/replica-decisions.ts';
import type { Beaten, ReplicaStore } from '../store/replica-records.ts';

export type Budget = {
  readonly port: RequestBudget;
  /** The most that may have been used of late, in thousandths. */
  readonly used: () => number;
  /** What a heartbeat brought that was sent at `began` (monotonic). */
  readonly set: (beaten: Pick<Beaten, 'share' | 'pausedMs'>, began: number) => void;
};

export type BudgetOptions = {
  readonly store: Pick<ReplicaStore, 'take' | 'pause'>;
  readonly log: Log;
  readonly clockOffsetMs: () => number;
};

const LISTS = 'lists';
/** A place that was asked for longer ago than this is not used; until then its request may come as much later than it counts. */
const GOOD_FOR_MS = 3_000;
/** Where the database does not answer, it is asked again. */
const RETRY_MS = 2_000;

type Span = { readonly share: number; until: number };

export function createBudget({ store, log, clockOffsetMs }: BudgetOptions): Budget {
  /** What was allowed, the newest last; `until` is when it ended. */
  let spans: Span[] = [];
  let pause: (ms: number) => void = () => undefined;

  const current = (): Span | undefined => {
    const last = spans.at(-1);
    return last !== undefined && monotonicNow() < last.until ? last : undefined;
  };

  const takeList: RequestBudget['takeList'] = async ({ capacity, windowMs, lane }) => {
    const reserve = lane === 'person' ? 0 : Math.floor(capacity / 3);
    const limit = { capacity, windowMs: windowMs + GOOD_FOR_MS, reserve };
    for (;;) {
      const asked = monotonicNow();
      try {
        const taken = await store.take(LISTS, limit, clockOffsetMs());
        if (taken.kind === 'wait') return taken.ms;
        if (monotonicNow() - asked <= GOOD_FOR_MS) return null;
      } catch (error) {
        log.warn({ event: 'cluster.no-budget', err: error }, 'could not read the shared request budget');
        return RETRY_MS;
      }
    }
  };

  return {
    port: {
      share: () => (current()?.share ?? 0) / WHOLE,
      takeList,
      pauseAll(ms) {
        store.pause(ms, clockOffsetMs()).catch((error: unknown) => {
          log.warn(
            { event: 'cluster.no-pause', err: error },
            'could not share a rate limit with other replicas',
          );
        });
      },
      onPause(listener) {
        pause = listener;
      },
    },
    used() {
      const since = monotonicNow() - HOLD_MS;
      return spans.filter(({ until }) => until > since).reduce((most, { share }) => Math.max(most, share), 0);
    },
    set({ share, pausedMs }, began) {
      const last = current();
      const now = monotonicNow();
      if (last !== undefined && last.share === share) last.until = began + SHARE_MS;
      else {
        if (last !== undefined) last.until = now;
        spans = [...spans.filter(({ until }) => until > now - HOLD_MS), { share, until: began + SHARE_MS }];
      }
      if (pausedMs > 0) pause(pausedMs);
    },
  };
}
