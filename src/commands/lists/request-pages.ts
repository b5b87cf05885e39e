/** Lists of requests. A list is kept without the links to their cards, which each page looks up. */
import type { Instant } from '../../lib/clock.ts';
import { requestCardKey } from '../../lib/ids.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { LinkedRequest } from '../../views/models/list-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { type FoundList, listPage } from './paging.ts';
import { defineResultList, rowWeight } from './result-cache.ts';

export type RequestResult = {
  readonly rows: readonly RequestWithTargets[];
  /** How many wait for approval, listed or not; absent: that is not said. */
  readonly waiting?: number;
  readonly asOf: Instant;
};

/** How far back ended requests are listed. Older ones are in the audit. */
export const MAX_LISTED_REQUESTS = 200;

export function defineRequestList(pageSize = 10) {
  return defineResultList<RequestResult>(pageSize, ({ rows }) =>
    rowWeight(rows, ({ targets }) => targets.length),
  );
}

/** The requests of one page, each with the link to its card, and its place among the pages. */
export async function requestPage(
  { whole, size, marks }: FoundList<RequestResult>,
  page: number,
  { records }: Pick<ReadPorts, 'records'>,
) {
  const { rows: all, asOf } = whole;
  const { rows: shown, ...at } = listPage(all, page, size);
  const rows = await Promise.all(shown.map(async (request) => linkedRequest(request, records)));
  return { rows, place: { ...at, ...marks, total: all.length, asOf } };
}

export async function linkedRequest(
  request: RequestWithTargets,
  { cardLink }: Pick<ReadPorts['records'], 'cardLink'>,
): Promise<LinkedRequest> {
  return { request, link: await cardLink(requestCardKey(request)) };
}
