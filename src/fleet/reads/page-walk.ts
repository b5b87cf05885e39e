/**
 * Walks a paged list. `page` counts from 0 and there is no cursor (§8), so rows move between pages during the walk,
 * and rows are recognized by id. A short page proves nothing, because the service may cap pages below the requested
 * size. A walk ends at a page that is not full when everything that `total_count` promises was seen, at an empty page, or
 * when several pages in a row bring nothing new: where those are full and no total says what is missing, the walk fails.
 * The next page is requested only when the caller wants it, and only one page is held at a
 * time.
 */
import { later, wallNow } from '../../lib/clock.ts';
import { FleetFailure, type FleetPage, type ReadOptions } from '../fleet.ts';
import { fleetError } from '../http/errors.ts';
import type { RowPage } from '../schema/rows.ts';
import { createPageWalkState } from './page-walk-state.ts';

export type PageWalk<T> = {
  /** The path template, for errors. */
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly fetchPage: (page: number, options: ReadOptions) => Promise<RowPage<T>>;
  /** Rows that `fetchPage` requests; absent: unknown, and no page counts as full. */
  readonly pageSize?: number | undefined;
  /** False: a stated total never ends the walk, only an empty page or a caller who found what they looked for. */
  readonly trustsTotal?: boolean | undefined;
  readonly maxPages?: number;
  readonly maxRows?: number;
};

/** Enough for a service with few rows per page: only a list that never ends has more. */
const MAX_PAGES = 10_000;
/** Our own limit, because callers hold what they read: ten times the largest fleet that was measured. */
const MAX_ROWS = 1_000_000;

/** Every row once. Throws {@link FleetFailure}: that of a page, or `too-large` when the list does not end. */
export async function* walkPages<T extends { readonly id: number }>(
  {
    path,
    method = 'GET',
    fetchPage,
    pageSize,
    trustsTotal,
    maxPages = MAX_PAGES,
    maxRows = MAX_ROWS,
  }: PageWalk<T>,
  options: ReadOptions,
): AsyncGenerator<FleetPage<T>, void, void> {
  const state = createPageWalkState<T>(pageSize, trustsTotal);
  const deadline = options.deadlineMs === undefined ? null : later(wallNow(), options.deadlineMs);
  const tooLarge = (bound: string): FleetFailure =>
    // Ending silently would pass a part off as the whole.
    new FleetFailure(fleetError({ method, path }, null, { kind: 'too-large' }, `more than ${bound}`));
  let rows = 0;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const left = deadline === null ? {} : { deadlineMs: Math.max(deadline - wallNow(), 0) };
    let page = state.take(await fetchPage(state.nextPage(), { ...options, ...left }));
    rows += page?.rows.length ?? 0;
    if (rows > maxRows) throw tooLarge(`${maxRows} rows`);
    if (page !== null) yield page;
    // Released before the next page is requested, which may be as large.
    page = null;
    if (state.ended() && state.isStuck()) throw tooLarge(`${pageSize} rows, and every page shows the same`);
    if (state.ended()) return;
  }
  throw tooLarge(`${maxPages} pages`);
}
