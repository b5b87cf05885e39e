/**
 * Walking a paged list. `page` counts from 0 and there is no cursor (§8), so rows move between pages while
 * they are read: rows are told apart by id. A short page proves nothing, because the service may cap lower
 * than asked; a walk ends when everything that `total_count` promises was seen, at an empty page, or where
 * page after page brings nothing new. The next page is asked for only when the caller wants it, and none is
 * held but the one that is given.
 */
import { later, wallNow } from '../../lib/clock.ts';
import { FleetFailure, type FleetPage, type ReadOptions } from '../fleet.ts';
import { fleetError } from '../http/errors.ts';
import type { RowPage } from '../schema/rows.ts';
import { createPageWalkState } from './page-walk-state.ts';

export type PageWalk<T> = {
  /** The template of what is walked, for errors. */
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly fetchPage: (page: number, options: ReadOptions) => Promise<RowPage<T>>;
  readonly maxPages?: number;
  readonly maxRows?: number;
};

/** Of a service that gives few rows a page: only one that never ends its list has more. */
const MAX_PAGES = 10_000;
/** Our own limit, because callers hold what they read: ten times the largest fleet that anything was measured with. */
const MAX_ROWS = 1_000_000;

/** Every row once. Throws {@link FleetFailure}: of a page, or `too-large` where the list does not end. */
export async function* walkPages<T extends { readonly id: number }>(
  { path, method = 'GET', fetchPage, maxPages = MAX_PAGES, maxRows = MAX_ROWS }: PageWalk<T>,
  options: ReadOptions,
): AsyncGenerator<FleetPage<T>, void, void> {
  const state = createPageWalkState<T>();
  const deadline = options.deadlineMs === undefined ? null : later(wallNow(), options.deadlineMs);
  const tooLarge = (bound: string): FleetFailure =>
    // Ending here in silence would pass a part off as the whole.
    new FleetFailure(fleetError({ method, path }, null, { kind: 'too-large' }, `more than ${bound}`));
  let rows = 0;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const left = deadline === null ? {} : { deadlineMs: Math.max(deadline - wallNow(), 0) };
    let given = state.take(await fetchPage(state.nextPage(), { ...options, ...left }));
    rows += given?.rows.length ?? 0;
    if (rows > maxRows) throw tooLarge(`${maxRows} rows`);
    if (given !== null) yield given;
    // Let go of before the next one is asked for, which may be as large.
    given = null;
    if (state.ended()) return;
  }
  throw tooLarge(`${maxPages} pages`);
}
