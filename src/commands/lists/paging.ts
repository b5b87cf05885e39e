/** Pages of lists: what a page shows, the result that its buttons go over, and the changes that its reader is offered. */

import { z } from 'zod';
import type { Snapshot } from '../../inventory/inventory.ts';
import type { Instant } from '../../lib/clock.ts';
import { packIds, requestCardKey } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { LinkedRequest, ListChanges, Paging, PatchChoice } from '../../views/models/list-model.ts';
import type { ReadPorts } from '../core/command.ts';
import type { DeviceListQuery } from '../targets/device-query.ts';
import {
  defineResultList,
  type ListResult,
  type ResultList,
  type ResultReader,
  rowWeight,
} from './result-cache.ts';

/** One page of a list that is already read; the first page is 0. */
type ListPage<T> = { readonly rows: readonly T[]; readonly page: number; readonly pages: number };

/** A page past the end is the last one: a list may have shrunk since its buttons were drawn. */
export function listPage<T>(all: readonly T[], page: number, size: number): ListPage<T> {
  const { page: at, pages } = pagePosition(all, page, size);
  return { rows: all.slice(at * size, (at + 1) * size), page: at, pages };
}

/** Of a list whose rows are all there: see {@link viewPage}. `question`: what was typed after the command. */
export function wholePaging(
  command: string,
  input: Paging['input'],
  question: string,
  { total, asOf }: Pick<Paging, 'total' | 'asOf'>,
): Paging {
  return { command, input, ...repeatLine(command, question), page: 0, pages: 1, total, asOf };
}

/** How complete and how new the fleet is that a list was made of. */
export function listState({ unlisted, partial, overdue, doubts }: Snapshot) {
  return { unlisted, partial, overdue, doubts };
}

/** The line that gives the list again; nothing where no filter says more than what the list was asked of. */
export function repeatLine(command: string, question: string): Pick<Paging, 'line'> {
  return question === '' ? {} : { line: { root: ROOT_COMMAND, text: `${command} ${question}` } };
}

export function pagePosition({ length }: { readonly length: number }, page: number, size: number) {
  const pages = Math.max(Math.ceil(length / size), 1);
  return { page: Math.min(page, pages - 1), pages };
}

type ResultPageState = Pick<Paging, 'result' | 'refreshReason'>;
type ListReader = ResultReader & Pick<ReadPorts, 'pageSize' | 'results'>;

/** A list with all of its rows, and how its pages are made of it. */
export type FoundList<T> = { readonly whole: T; readonly marks: ResultPageState; readonly size: number };

/** Null where it has to be asked for: refreshed, not kept any more, another person's, or seen with other rights. */
export function findCachedResult<T extends ListResult>(
  { pageSize, cacheIn }: ResultList<T>,
  { result, refresh }: RefreshableInput,
  reader: ListReader,
): FoundList<T> | null {
  if (result === undefined || refresh === true) return null;
  const lookup = cacheIn(reader.results).find(reader, result);
  if (lookup.kind !== 'found') return null;
  return { whole: lookup.content, marks: { result }, size: reader.pageSize ?? pageSize };
}

/** Only a list of more than one page. A file has one page, whatever its rows. */
export function cacheResult<T extends ListResult>(
  { pageSize, cacheIn }: ResultList<T>,
  content: T,
  { result, refresh }: RefreshableInput,
  reader: ListReader,
): FoundList<T> {
  const cache = cacheIn(reader.results);
  const why = result === undefined || refresh === true ? null : cache.find(reader, result).kind;
  const refreshed = why === null ? {} : { refreshReason: why === 'found' ? 'gone' : why };
  const isOnePage = reader.pageSize !== undefined || content.rows.length <= pageSize;
  const key = isOnePage ? null : cache.add(reader, content);
  const marks = key === null ? refreshed : { result: key, ...refreshed };
  return { whole: content, marks, size: reader.pageSize ?? pageSize };
}

export async function cachedOrRead<T extends ListResult>(
  list: ResultList<T>,
  input: RefreshableInput,
  reader: ListReader,
  read: () => Promise<T>,
): Promise<FoundList<T>> {
  return findCachedResult(list, input, reader) ?? cacheResult(list, await read(), input, reader);
}

export function viewPage<T extends { readonly rows: readonly unknown[]; readonly paging: Paging }>(
  { whole, marks, size }: FoundList<T>,
  page: number,
): T {
  const { rows, ...place } = listPage(whole.rows, page, size);
  return { ...whole, rows, paging: { ...whole.paging, ...place, ...marks } };
}

/** What the buttons of a list that is kept carry beside the question: the key of the rows that its pages go over. */
export const listInput = z.object({ result: z.string().min(1).max(20).optional() });
export type ListInput = z.infer<typeof listInput>;

export const refreshableInput = listInput.extend({ refresh: z.literal(true).optional() });
export type RefreshableInput = z.infer<typeof refreshableInput>;

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

type ListedDevices = {
  readonly ids: Iterable<number> & { readonly length: number };
  /** What they were listed for; absent: nothing in particular; null: none of them has patches. */
  readonly patch?: PatchChoice | null;
  /** What finds them again, where their ids are too many for a button; absent: nothing does. */
  readonly query?: DeviceListQuery;
  /** More may belong to them: not all was read yet. */
  readonly isPart?: boolean;
};

/** Three buttons carry them, and all blocks of a message have 12,000 characters. Our own figure. */
const MAX_PACKED = 500;

/** Nothing for readers who may not request changes, and where there is no device. */
export async function listChanges(
  { ids, patch = { packages: [], severities: [] }, query, isPart = false }: ListedDevices,
  { refusal, rollouts }: Pick<ReadPorts, 'refusal' | 'rollouts'>,
): Promise<{ readonly changes?: ListChanges }> {
  const devices = ids.length;
  if (devices === 0 || ((await refusal?.('propose')) ?? null) !== null) return {};
  const target = devices > rollouts().maxDevices ? null : targetOf(ids, query);
  if (target === null) return { changes: { kind: 'too-many' } };
  return { changes: { kind: 'offered', devices, target, patch, ...(isPart ? { isPart: true } : {}) } };
}

function targetOf(ids: ListedDevices['ids'], query: DeviceListQuery | undefined): object | null {
  const packed = packIds(ids);
  if (packed.length <= MAX_PACKED) return { ids: packed };
  return query === undefined
    ? null
    : { listed: { words: query.words, filters: query.filters, devices: ids.length } };
}
