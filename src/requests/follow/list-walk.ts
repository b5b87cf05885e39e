/** Walks over the pages of the fleet's list for the rollouts that are followed: one walk serves all of them. */

import { policyIdOf } from '../../fleet/model/policy-status.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { type PagePorts, pagesOfFleet } from '../device-pages.ts';
import { isFollowedByLists, nextListLookAt } from '../list-following.ts';
import type { RowLooks } from './look-at-rows.ts';

export type ListWalkOptions = PagePorts & {
  readonly store: { readonly requests: Pick<Store['requests'], 'list'> };
  readonly clock: Pick<Clock, 'now'>;
  readonly lookAtPage: RowLooks['lookAtPage'];
};

export type ListWalk = Readonly<ReturnType<typeof createListWalk>>;

type Served = ReadonlyMap<RequestId, RequestRecord>;

/** Rollouts that one walk serves; others have their own. */
const MAX_ROLLOUTS = 500;

/** One for each process. */
export function createListWalk(options: ListWalkOptions) {
  const { store, reader, clock, lookAtPage } = options;
  const nextLooks = new Map<RequestId, Instant>();
  let walk: { readonly serves: Served; readonly ended: Promise<void> } | null = null;

  const isDue = (id: RequestId): boolean => (nextLooks.get(id) ?? 0) <= clock.now();

  const walkPages = async (serves: Map<RequestId, RequestRecord>): Promise<void> => {
    const startedAt = clock.now();
    for (const other of await store.requests.list({ states: ['running'], inWaves: true }, MAX_ROLLOUTS))
      if (isFollowedByLists(other) && isDue(other.id)) serves.set(other.id, other);
    const withoutPolicyStatus = ![...serves.values()].some(({ action }) => policyIdOf(action) !== null);
    let readAt = clock.now();
    for await (const { rows } of reader.devices({ withoutPolicyStatus }, { lane: 'background' })) {
      await lookAtPage(serves, { devices: rows, readAt });
      readAt = clock.now();
    }
    const nextAt = nextListLookAt(startedAt, pagesOfFleet(options));
    for (const id of serves.keys()) nextLooks.set(id, nextAt);
  };

  return {
    /** When the request is looked at next; null: at once, because this process has not looked at it yet. */
    nextAt: (id: RequestId): Instant | null => nextLooks.get(id) ?? null,
    isDue,
    /** It was looked at without a walk, which began then. */
    note: (id: RequestId, startedAt: Instant): void => void nextLooks.set(id, nextListLookAt(startedAt, 1)),
    forget: (id: RequestId): void => void nextLooks.delete(id),
    /** Waits for a walk that serves this request. Throws FleetFailure. */
    walkFor: async (request: RequestRecord): Promise<void> => {
      while (walk !== null && !walk.serves.has(request.id)) await walk.ended.catch(() => undefined);
      if (walk !== null) return walk.ended;
      // The walk that went on may have served it in the end.
      if (!isDue(request.id)) return;
      const serves = new Map([[request.id, request]]);
      const ended = walkPages(serves).finally(() => {
        walk = null;
      });
      walk = { serves, ended };
      return ended;
    },
  };
}
