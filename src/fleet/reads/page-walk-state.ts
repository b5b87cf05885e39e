/** What a page walk has seen, where it goes next, and whether it is complete. Knows nothing of requests. */
import type { FleetPage } from '../fleet.ts';
import type { RowPage } from '../schema/rows.ts';
import { createSeenIds } from './seen-ids.ts';

export type PageWalkState<T> = {
  /** The number of the page to read now. */
  readonly nextPage: () => number;
  /** The part of a page that is new; null when nothing is. */
  readonly take: (rows: RowPage<T>) => FleetPage<T> | null;
  readonly ended: () => boolean;
  /** It ended because full pages were repeated, and nothing says how much of the list was never shown. */
  readonly isStuck: () => boolean;
};

/**
 * This many pages in a row without a new row end a walk. One page is not enough: a burst of new events pushes known
 * ones onto the next page, and the rows beyond it would be lost.
 */
const MAX_REPEATED_PAGES = 3;
/** Maximum pages that one walk goes back because rows were removed in the meantime: a list may shrink without end. */
const MAX_STEPS_BACK = 20;

/**
 * For one walk. `pageSize`: the requested rows per page, at which a page is full. `trustsTotal`: whether a walk ends where
 * it has seen as many rows as the list states.
 */
export function createPageWalkState<T extends { readonly id: number }>(
  pageSize = Number.POSITIVE_INFINITY,
  trustsTotal = true,
): PageWalkState<T> {
  const seen = createSeenIds();
  let page = 0;
  /** The first page that was never read. */
  let frontier = 0;
  /** Pages below this one are read again before the frontier. */
  let rereadUntil = 0;
  let stepsBackLeft = MAX_STEPS_BACK;
  let largest = 1;
  let total: number | null = null;
  let [leftOut, deleted] = [0, 0];
  let repeated = 0;
  /** How far the total fell in all: this many of the rows that were seen may be gone. */
  let removedRows = 0;
  let ended = false;

  /** When the total falls, as many rows moved from unread pages onto pages already read: those pages are read again. */
  const nextPageAfter = (fell: number): number => {
    const back = Math.min(Math.ceil(fell / largest), page);
    if (fell > 0 && back <= stepsBackLeft) {
      stepsBackLeft -= back;
      rereadUntil = page === frontier - 1 ? page : frontier;
      if (back > 0) return page - back;
    }
    return page + 1 < rereadUntil ? page + 1 : frontier;
  };
  /** The maximum number of rows that were not seen: removed rows may have been among those that were. */
  const missing = (): number =>
    total === null ? 0 : Math.max(total + removedRows - seen.size() - leftOut, 0);

  /** What callers read: the rows that are marked as deleted are counted by the service only. */
  const withoutDeleted = (stated: number | null): number | null =>
    stated === null ? null : Math.max(stated - deleted, 0);

  /** More rows were seen than the total and the removed rows allow, so it does not count all of the list. */
  const isTotalTooLow = (): boolean => total !== null && seen.size() + leftOut > total + removedRows;

  return {
    nextPage: () => page,
    ended: () => ended,
    isStuck: () => repeated === MAX_REPEATED_PAGES && largest >= pageSize && missing() === 0,
    take({ rows, sent, unreadable, foreignRows, deletedIds, total: totalOfPage }) {
      const fresh = onlyFresh(rows, seen.add);
      const isFirst = frontier === 0;
      const isNew = page === frontier;
      const deletedHere = deletedIds.filter(seen.add);
      deleted += deletedHere.length;
      const known = rows.length + deletedIds.length;
      const isRepeat = known > 0 && fresh.length + deletedHere.length === 0;
      // `total_count` stands in the rows, so an empty first page has none: the total is 0 (§2.2). An envelope may state one.
      const now = isFirst && sent === 0 ? (totalOfPage ?? 0) : totalOfPage;
      const fell = total === null || now === null ? 0 : Math.max(total - now, 0);
      if (isNew) {
        frontier += 1;
        if (!isRepeat) leftOut += unreadable + foreignRows;
      }
      if (fresh.length + deletedHere.length > 0) repeated = 0;
      else if (isNew) repeated += 1;
      largest = Math.max(largest, sent);
      total = now ?? total;
      removedRows += fell;
      page = nextPageAfter(fell);
      // A full page may have rows after it whatever the total says: it was seen to count only a part of a list.
      const complete =
        trustsTotal && total !== null && missing() === 0 && !isTotalTooLow() && sent < pageSize;
      ended = page === frontier && (complete || sent === 0 || repeated === MAX_REPEATED_PAGES);

      const shortfall = ended ? missing() : 0;
      const leftOutHere = !isRepeat && unreadable + foreignRows > 0;
      if (fresh.length === 0 && deletedHere.length === 0 && !leftOutHere && !isFirst && shortfall === 0)
        return null;
      return {
        rows: fresh,
        total: isTotalTooLow() ? null : withoutDeleted(sent === 0 ? total : now),
        unreadable,
        ...(deletedHere.length > 0 ? { deletedIds: deletedHere } : {}),
        ...(foreignRows > 0 ? { foreignRows } : {}),
        ...(shortfall > 0 ? { shortfall } : {}),
      };
    },
  };
}

/** Returns the same list when all rows are fresh: a copy would hold the page twice. */
function onlyFresh<T extends { readonly id: number }>(
  rows: readonly T[],
  isFresh: (id: number) => boolean,
): readonly T[] {
  const known = new Set<number>();
  // By index: an iterator of pairs takes longer than the lookups.
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (row !== undefined && !isFresh(row.id)) known.add(index);
  }
  return known.size === 0 ? rows : rows.filter((_, index) => !known.has(index));
}
