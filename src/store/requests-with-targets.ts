/** Requests together with the targets that are shown of them. */

import type { OperationId, RequestId } from '../lib/ids.ts';
import type { RequestRecord, RequestWithTargets } from './port/request-records.ts';
import type { RequestFilter, RequestStore, TargetStore } from './port/request-store.ts';

/** A card has no room for more; counts say how many there are. */
const MAX_SHOWN_TARGETS = 50;

export type RequestTables = {
  readonly requests: Pick<RequestStore, 'get' | 'list' | 'byRequestKey'>;
  readonly targets: Pick<TargetStore, 'of' | 'ofEach'>;
};

/** The request with its first targets; `limit` null: with all of them. */
export async function withTargets(
  { targets }: Pick<RequestTables, 'targets'>,
  request: RequestRecord,
  limit: number | null = MAX_SHOWN_TARGETS,
): Promise<RequestWithTargets> {
  return { ...request, targets: await targets.of(request.id, limit === null ? {} : { limit }) };
}

/** Null: there is no such request. */
export async function requestWithTargets(
  tables: RequestTables,
  id: RequestId | OperationId,
  limit: number | null = MAX_SHOWN_TARGETS,
): Promise<RequestWithTargets | null> {
  const request = await tables.requests.get(id);
  return request && withTargets(tables, request, limit);
}

/** The newest first; see `RequestStore.list`. */
export async function requestsWithTargets(
  { requests, targets }: RequestTables,
  filter: RequestFilter,
  limit: number,
): Promise<readonly RequestWithTargets[]> {
  const found = await requests.list(filter, limit);
  const [plain, rollouts] = [found.filter(hasNoPlan), found.filter((one) => !hasNoPlan(one))];
  const first = await targets.ofEach(idsOf(plain), MAX_SHOWN_TARGETS);
  const samples = await targets.ofEach(idsOf(rollouts), ROLLOUT_SAMPLE);
  return found.map((request) => ({
    ...request,
    targets: first.get(request.id) ?? samples.get(request.id) ?? [],
  }));
}

/** A list says of a rollout how many devices it has, and names the one of a small one. */
const ROLLOUT_SAMPLE = 1;

function hasNoPlan({ rollout }: RequestRecord): boolean {
  return rollout === null;
}

function idsOf(requests: readonly RequestRecord[]): readonly RequestId[] {
  return requests.map(({ id }) => id);
}
