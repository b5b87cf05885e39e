/** Requests together with the targets that are shown of them. */
import type { RequestId } from '../lib/ids.ts';
import type {
  RequestFilter,
  RequestRecord,
  RequestStore,
  RequestWithTargets,
  TargetStore,
} from './port/request-records.ts';

/** A card has no room for more; counts say how many there are. */
const MAX_SHOWN_TARGETS = 50;

export type RequestTables = {
  readonly requests: Pick<RequestStore, 'get' | 'list' | 'byRequestKey'>;
  readonly targets: Pick<TargetStore, 'of' | 'ofEach' | 'onDevices'>;
} & Pick<RequestWithTargets, 'ticketUrl'>;

/** The request with its first targets; `limit` null: with all of them. */
export async function withTargets(
  { targets, ticketUrl }: Pick<RequestTables, 'targets' | 'ticketUrl'>,
  request: RequestRecord,
  limit: number | null = MAX_SHOWN_TARGETS,
): Promise<RequestWithTargets> {
  return { ...request, ticketUrl, targets: await targets.of(request.id, limit === null ? {} : { limit }) };
}

/** Null: there is no such request. */
export async function requestWithTargets(
  tables: RequestTables,
  id: RequestId,
  limit: number | null = MAX_SHOWN_TARGETS,
): Promise<RequestWithTargets | null> {
  const request = await tables.requests.get(id);
  return request && withTargets(tables, request, limit);
}

/** In the order of `RequestStore.list`. Those of one device have only its target. */
export async function requestsWithTargets(
  { requests, targets, ticketUrl }: RequestTables,
  filter: RequestFilter,
  limit: number,
): Promise<readonly RequestWithTargets[]> {
  const found = (await requests.list(filter, limit)).map((request) => ({ ...request, ticketUrl }));
  const { device } = filter;
  if (device !== undefined) {
    const own = found.map(async (one) => ({ ...one, targets: await targets.onDevices(one.id, [device]) }));
    return Promise.all(own);
  }
  const first = await targets.ofEach(
    found.map(({ id }) => id),
    LISTED_TARGETS,
  );
  return found.map((request) => ({ ...request, targets: first.get(request.id) ?? [] }));
}

/** A list names the first devices of a request, and says how many they are. */
const LISTED_TARGETS = 3;
