/**
 * Walking a paged list. `page` counts from 0 and there is no cursor (§8), so rows move between pages while
 * they are read: rows are told apart by id. A short page proves nothing, because the service may cap lower
 * than asked; a walk ends when everything that `total_count` promises was seen, at an empty page, or where
 * page after page brings nothing new. The next page is asked for only when the caller wants it.
 */
import { later, wallNow } from '../clock.ts';
import { fleetError } from './errors.ts';
import { FleetFailure, type Page, type ReadOptions } from './fleet.ts';
import type { Rows } from './schema/rows.ts';

export type Walk<T> = {
  /** The template of what is walked, for errors. */
  readonly path: string;
  readonly fetchPage: (page: number, options: ReadOptions) => Promise<Rows<T>>;
  readonly maxPages?: number;
};

/** 100,000 rows at 500 a page: more than any list that is worth holding. */
const MAX_PAGES = 200;

/**
 * So many pages in a row without a new row end a walk. One does not: a storm of new events pushes known ones
 * onto the next page, and what lies beyond it would be lost.
 */
const REPEATED_PAGES = 3;

export async function* walk<T extends { readonly id: number }>(
  { path, fetchPage, maxPages = MAX_PAGES }: Walk<T>,
  options: ReadOptions,
): AsyncGenerator<Page<T>, void, void> {
  const seen = new Set<number>();
  const deadline = options.deadlineMs === undefined ? null : later(wallNow(), options.deadlineMs);
  let leftOut = 0;
  let repeated = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const left = deadline === null ? {} : { deadlineMs: Math.max(deadline - wallNow(), 0) };
    const rows = await fetchPage(page, { ...options, ...left });
    const fresh = rows.rows.filter((row) => !seen.has(row.id) && seen.add(row.id));
    leftOut += rows.unreadable + rows.strays;
    repeated = fresh.length > 0 ? 0 : repeated + 1;
    // `total_count` stands in the rows, so an empty list has none to say it: it is 0 (§2.2).
    const total = rows.sent === 0 ? 0 : rows.total;
    const { unreadable, strays } = rows;
    if (fresh.length > 0 || unreadable > 0 || strays > 0 || page === 0)
      yield { rows: fresh, total, unreadable, ...(strays > 0 ? { strays } : {}) };
    const complete = total !== null && seen.size + leftOut >= total;
    if (complete || repeated === REPEATED_PAGES) return;
  }
  // Ending here in silence would pass a part off as the whole.
  const call = { method: 'GET', path } as const;
  throw new FleetFailure(fleetError(call, null, { kind: 'too-large' }, `more than ${maxPages} pages`));
}
