/** This process's part of the request budget, from the last heartbeats. */

import type { RequestBudget } from '../fleet/limits/request-budget.ts';
import { monotonicNow } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { BUDGET_UNITS, SHARE_HOLD_MS, SHARE_LEASE_MS } from '../store/port/replica-decisions.ts';
import type { HeartbeatResult, ReplicaStore } from '../store/port/replica-records.ts';

export type ReplicaBudget = {
  readonly port: RequestBudget;
  /** The most that may have been used recently, in thousandths. */
  readonly used: () => number;
  /** Applies the result of a heartbeat that was sent at `began` (monotonic). */
  readonly set: (result: Pick<HeartbeatResult, 'share' | 'pausedMs'>, began: number) => void;
};

export type ReplicaBudgetOptions = {
  readonly store: Pick<ReplicaStore, 'takeToken' | 'pause'>;
  readonly log: Log;
  readonly clockOffsetMs: () => number;
};

const DEVICE_LIST_BUDGET = 'lists';
/**
 * A slower grant is not used; the budget's window is longer by this time, because a request may leave that much
 * later.
 */
const GRANT_VALID_MS = 3_000;
/** Wait before asking a database again that did not answer. */
const RETRY_MS = 2_000;

type ShareSpan = { readonly share: number; until: number };

/** The budget of one replica; without a heartbeat its share is 0. */
export function createReplicaBudget({ store, log, clockOffsetMs }: ReplicaBudgetOptions): ReplicaBudget {
  /** Shares that were allowed, newest last; each was valid until `until`. */
  let spans: ShareSpan[] = [];
  let pause: (ms: number) => void = () => undefined;

  const current = (): ShareSpan | undefined => {
    const last = spans.at(-1);
    return last !== undefined && monotonicNow() < last.until ? last : undefined;
  };

  const takeList: RequestBudget['takeList'] = async ({ capacity, windowMs, lane }) => {
    const reserve = lane === 'person' ? 0 : Math.floor(capacity / 3);
    const limit = { capacity, windowMs: windowMs + GRANT_VALID_MS, reserve };
    for (;;) {
      const requestedAt = monotonicNow();
      try {
        const grant = await store.takeToken(DEVICE_LIST_BUDGET, limit, clockOffsetMs());
        if (grant.kind === 'wait') return grant.ms;
        if (monotonicNow() - requestedAt <= GRANT_VALID_MS) return null;
      } catch (error) {
        log.warn({ event: 'cluster.no-budget', err: error }, 'could not read the shared request budget');
        return RETRY_MS;
      }
    }
  };

  return {
    port: {
      share: () => (current()?.share ?? 0) / BUDGET_UNITS,
      takeList,
      pauseEverybody(ms) {
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
      const since = monotonicNow() - SHARE_HOLD_MS;
      return spans.filter(({ until }) => until > since).reduce((most, { share }) => Math.max(most, share), 0);
    },
    set({ share, pausedMs }, began) {
      const last = current();
      const now = monotonicNow();
      if (last !== undefined && last.share === share) last.until = began + SHARE_LEASE_MS;
      else {
        if (last !== undefined) last.until = now;
        spans = [
          ...spans.filter(({ until }) => until > now - SHARE_HOLD_MS),
          { share, until: began + SHARE_LEASE_MS },
        ];
      }
      if (pausedMs > 0) pause(pausedMs);
    },
  };
}
