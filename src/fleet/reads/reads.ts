/** The two kinds of reads: a list in pages, and one thing. The neighboring files know what to request. */
import { later, wallNow, yieldToEventLoop } from '../../lib/clock.ts';
import { LIST_PAGE } from '../../lib/lists.ts';
import { FleetFailure, type FleetPage, type ReadOptions } from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import { fleetError } from '../http/errors.ts';
import type { HttpRequest } from '../http/http-client.ts';
import {
  isObject,
  type MalformedAnswer,
  type RawObject,
  type RowPage,
  type RowReader,
  readListInSlices,
  readSingle,
} from '../schema/rows.ts';

/** `raw`: also what we do not model, to be sent back. It may hold secrets, so it never leaves `src/fleet`. */
export type WithRaw<T> = { readonly read: T; readonly raw: RawObject };

type ListWalk = Pick<PageWalk<never>, 'trustsTotal'> & {
  /** Rows for each request. */
  readonly limit?: number | undefined;
  readonly firstPage?: number | undefined;
};

export type Reads = Readonly<ReturnType<typeof createReads>>;

/** Reads over `calls`. A malformed answer throws {@link FleetFailure} of the kind `unreadable`. */
export function createReads(calls: Calls) {
  return {
    body: calls.read,
    pages<T extends { readonly id: number }>(
      request: HttpRequest,
      readRow: RowReader<T>,
      options: ReadOptions = {},
      { limit = LIST_PAGE, firstPage = 0, trustsTotal }: ListWalk = {},
    ): AsyncIterable<FleetPage<T>> {
      const fetchPage = async (page: number, pageOptions: ReadOptions): Promise<RowPage<T>> => {
        const query = { ...request.query, limit, page: firstPage + page };
        const rows = await readListYielding(await calls.read({ ...request, query }, pageOptions), readRow);
        return rows.kind === 'rows' ? rows : throwMalformed(request, rows);
      };
      return walkPages({ path: request.path, fetchPage, pageSize: limit, trustsTotal }, options);
    },
    async withRaw<T>(
      request: Omit<HttpRequest, 'method' | 'body'>,
      readRow: RowReader<T>,
      options: ReadOptions,
    ): Promise<WithRaw<T>> {
      const get = { ...request, method: 'GET' } as const;
      const body = await calls.read(get, options);
      const one = readSingle(body, readRow);
      if (one.kind === 'misshapen') return throwMalformed(get, one);
      if (one.kind === 'deleted') {
        const { method, path } = get;
        throw new FleetFailure(fleetError({ method, path }, 200, { kind: 'missing' }, 'marked as deleted'));
      }
      return { read: one.row, raw: rawObjectIn(body) };
    },
  };
}

/** Reading a page of 500 rows right after its JSON was parsed would block everything else for too long. */
async function readListYielding<T>(
  body: unknown,
  readRow: RowReader<T>,
): Promise<RowPage<T> | MalformedAnswer> {
  const parts = readListInSlices(body, readRow);
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    await yieldToEventLoop();
  }
}

/** Throws for an answer that is not what the interface says. */
export function throwMalformed({ method, path }: HttpRequest, { detail }: MalformedAnswer): never {
  throw new FleetFailure(fleetError({ method, path }, 200, { kind: 'unreadable' }, detail));
}

/** The parameters that are set. Booleans are 0 and 1: the live service refuses other words (§4.5). */
export function queryParameters(
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): Readonly<Record<string, string | number>> {
  const query: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query[name] = typeof value === 'boolean' ? Number(value) : value;
  return query;
}

/** The object in an answer of one thing: itself, or the element of an array of one (§4.6). */
export function rawObjectIn(body: unknown): RawObject {
  const value: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(value) ? value : {};
}

/** One is not enough: a burst of events pushes known ones onto the next page, and rows beyond it would be lost. */
const MAX_REPEATED_PAGES = 3;
/** Maximum pages that one walk goes back because rows were removed in the meantime: a list may shrink without end. */
const MAX_STEPS_BACK = 20;

/** `pageSize`: at which a page is full. `trustsTotal`: whether as many rows as the list states end the walk. */
function createPageWalkState<T extends { readonly id: number }>(
  pageSize = Number.POSITIVE_INFINITY,
  trustsTotal = true,
) {
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
    nextPage: (): number => page,
    ended: (): boolean => ended,
    /** It ended because full pages were repeated, and nothing says how much of the list was never shown. */
    isStuck: (): boolean => repeated === MAX_REPEATED_PAGES && largest >= pageSize && missing() === 0,
    /** The part of a page that is new; null when nothing is. */
    take({
      rows,
      sent,
      unreadable,
      foreignRows,
      deletedIds,
      total: totalOfPage,
    }: RowPage<T>): FleetPage<T> | null {
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

/**
 * The ids that a page walk has seen: an open-addressed table of numbers with 6 to 16 bytes per id, where a `Set`
 * takes 40, so that a million events can be walked. Exact: a repeated row is recognized however far apart the two
 * are. Ids are numbers of any kind, 0 included.
 */
const FIRST_SLOTS = 1_024;
/** Maximum load before the table doubles: beyond it, lookups get slow. */
const MAX_LOAD = 0.7;
const MAX_UINT32 = 2 ** 32 - 1;

export function createSeenIds() {
  let table: Uint32Array | Float64Array = new Uint32Array(FIRST_SLOTS);
  let size = 0;
  /** 0 marks a free slot, so the id 0 is stored here. */
  let zero = false;
  // Random, so that nobody can choose ids that all fall on one slot and block the process.
  const spread = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

  const insert = (into: Uint32Array | Float64Array, id: number): boolean => {
    const mask = into.length - 1;
    const mixed = Math.imul((id | 0) ^ Math.floor(id / 2 ** 32), spread);
    for (let slot = (mixed ^ (mixed >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      if (into[slot] === id) return false;
      if (into[slot] !== 0) continue;
      into[slot] = id;
      return true;
    }
  };
  const moveTo = (larger: Uint32Array | Float64Array): void => {
    for (const id of table) if (id !== 0) insert(larger, id);
    table = larger;
  };

  return {
    size: (): number => size + (zero ? 1 : 0),
    /** False when it was already there. */
    add(id: number): boolean {
      if (id === 0) {
        const fresh = !zero;
        zero = true;
        return fresh;
      }
      const small = Number.isInteger(id) && id > 0 && id <= MAX_UINT32;
      if (!small && table instanceof Uint32Array) moveTo(new Float64Array(table.length));
      if (size >= table.length * MAX_LOAD)
        moveTo(
          table instanceof Uint32Array
            ? new Uint32Array(table.length * 2)
            : new Float64Array(table.length * 2),
        );
      const fresh = insert(table, id);
      if (fresh) size += 1;
      return fresh;
    },
  };
}

type PageWalk<T> = {
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

/**
 * Walks a paged list. `page` counts from 0 and there is no cursor (§8), so rows move between pages during the walk,
 * and rows are recognized by id. A short page proves nothing, because the service may cap pages below the requested
 * size. A walk ends at a page that is not full when everything that `total_count` promises was seen, at an empty page, or
 * when several pages in a row bring nothing new: where those are full and no total says what is missing, the walk fails.
 * The next page is requested only when the caller wants it, and only one page is held at a time.
 * Throws FleetFailure: that of a page, or `too-large` when the list does not end.
 */
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
