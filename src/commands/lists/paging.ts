/** Pages of lists: what a page shows, and the result that its buttons go over. */

import { z } from 'zod';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Paging } from '../../views/model.ts';
import type { ReadPorts } from '../core/command.ts';
import type { ListResult, ResultCache, ResultReader } from './result-cache.ts';

/** One page of a list that is already read; the first page is 0. */
export type ListPage<T> = { readonly rows: readonly T[]; readonly page: number; readonly pages: number };

/** A page past the end is the last one: a list may have shrunk since its buttons were drawn. */
export function listPage<T>(all: readonly T[], page: number, size: number): ListPage<T> {
  const { page: at, pages } = pagePosition(all, page, size);
  return { rows: all.slice(at * size, (at + 1) * size), page: at, pages };
}

/** Of a list with the rows of all its pages, see {@link viewPage}. */
export const SINGLE_PAGE = { page: 0, pages: 1 } as const;

/** The line that gives the list again; nothing where no filter says more than what the list was asked of. */
export function repeatLine(command: string, question: string): Pick<Paging, 'line'> {
  return question === '' ? {} : { line: { root: ROOT_COMMAND, text: `${command} ${question}` } };
}

/** Which page of how many that is. */
export function pagePosition({ length }: { readonly length: number }, page: number, size: number) {
  const pages = Math.max(Math.ceil(length / size), 1);
  return { page: Math.min(page, pages - 1), pages };
}

/** What the buttons of a list carry beside its question. */
export type ResultPageState = Pick<Paging, 'result' | 'refreshReason'>;
type ListReader = ResultReader & Pick<ReadPorts, 'pageSize'>;

/**
 * The list that a button goes over, as it stood, with what its next buttons carry; null where it has to be asked for:
 * it is refreshed, not kept any more, another person's, or of a time when this one saw more or less.
 */
export function findCachedResult<T extends ListResult>(
  cache: ResultCache<T>,
  { result, refresh }: RefreshableInput,
  reader: ListReader,
): { readonly whole: T; readonly marks: ResultPageState } | null {
  if (result === undefined || refresh === true) return null;
  const lookup = cache.find(reader, result);
  return lookup.kind === 'found' ? { whole: lookup.content, marks: { result } } : null;
}

/**
 * Keeps a list that was just asked for, where it has more than one page of `size`, and gives what its buttons carry.
 * A file has one page, whatever its rows.
 */
export function cacheResult<T extends ListResult>(
  cache: ResultCache<T>,
  content: T,
  size: number,
  { result, refresh }: RefreshableInput,
  reader: ListReader,
): ResultPageState {
  const why = result === undefined || refresh === true ? null : cache.find(reader, result).kind;
  const refreshed = why === null ? {} : { refreshReason: why === 'found' ? 'gone' : why };
  const isOnePage = reader.pageSize !== undefined || content.rows.length <= size;
  const key = isOnePage ? null : cache.add(reader, content);
  return key === null ? refreshed : { result: key, ...refreshed };
}

/** The list that a button goes over, or else a new one. */
export async function cachedOrRead<T extends ListResult>(
  cache: ResultCache<T>,
  size: number,
  input: RefreshableInput,
  asker: ListReader,
  read: () => Promise<T>,
): Promise<{ readonly whole: T; readonly marks: ResultPageState }> {
  const cached = findCachedResult(cache, input, asker);
  if (cached !== null) return cached;
  const content = await read();
  return { whole: content, marks: cacheResult(cache, content, size, input, asker) };
}

/** One page of a view that holds the rows of all of them. */
export function viewPage<T extends { readonly rows: readonly unknown[]; readonly paging: Paging }>(
  { whole, marks }: { readonly whole: T; readonly marks: ResultPageState },
  page: number,
  size: number,
): T {
  const { rows, ...place } = listPage(whole.rows, page, size);
  return { ...whole, rows, paging: { ...whole.paging, ...place, ...marks } };
}

/** What the buttons of a list carry in its input, beside the question. */

/** Of a list that is kept: the key of the rows that its pages go over. */
export const listInput = z.object({ result: z.string().min(1).max(20).optional() });
export type ListInput = z.infer<typeof listInput>;

/** Of one that can be read anew as well. */
export const refreshableInput = listInput.extend({ refresh: z.literal(true).optional() });
export type RefreshableInput = z.infer<typeof refreshableInput>;
