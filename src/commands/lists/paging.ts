/** Pages of lists: what a page shows, and the result that its buttons go over. */
import type { Paging } from '../../views/model.ts';
import type { ReadPorts } from '../command.ts';
import { ROOT } from '../root.ts';
import type { RefreshableInput } from './input.ts';
import type { Listed, Reader, ResultShelf } from './results.ts';

/** One page of a list that is already read; the first page is 0. */
export type Slice<T> = { readonly rows: readonly T[]; readonly page: number; readonly pages: number };

/** A page past the end is the last one: a list may have shrunk since its buttons were drawn. */
export function slice<T>(all: readonly T[], page: number, size: number): Slice<T> {
  const { page: at, pages } = placeOf(all, page, size);
  return { rows: all.slice(at * size, (at + 1) * size), page: at, pages };
}

/** Of a list with the rows of all its pages, see {@link pageOf}. */
export const FIRST = { page: 0, pages: 1 } as const;

/** The line that gives the list again; nothing where no filter says more than what the list was asked of. */
export function lineOf(command: string, question: string): Pick<Paging, 'line'> {
  return question === '' ? {} : { line: { root: ROOT, text: `${command} ${question}` } };
}

/** Which page of how many that is. */
export function placeOf({ length }: { readonly length: number }, page: number, size: number) {
  const pages = Math.max(Math.ceil(length / size), 1);
  return { page: Math.min(page, pages - 1), pages };
}

/** What the buttons of a list carry beside its question. */
export type Marks = Pick<Paging, 'result' | 'anew'>;
type Asker = Reader & Pick<ReadPorts, 'pageSize'>;

/**
 * The list that a button goes over, as it stood, with what its next buttons carry; null where it has to be asked for:
 * it is refreshed, not kept any more, another person's, or of a time when this one saw more or less.
 */
export function recall<T extends Listed>(
  shelf: ResultShelf<T>,
  { result, refresh }: RefreshableInput,
  reader: Asker,
): { readonly whole: T; readonly marks: Marks } | null {
  if (result === undefined || refresh === true) return null;
  const found = shelf.find(reader, result);
  return found.kind === 'found' ? { whole: found.whole, marks: { result } } : null;
}

/**
 * Keeps a list that was just asked for, where it has more than one page of `size`, and gives what its buttons carry.
 * A file has one page, whatever its rows.
 */
export function keep<T extends Listed>(
  shelf: ResultShelf<T>,
  whole: T,
  size: number,
  { result, refresh }: RefreshableInput,
  reader: Asker,
): Marks {
  const why = result === undefined || refresh === true ? null : shelf.find(reader, result).kind;
  const anew = why === null ? {} : { anew: why === 'found' ? 'gone' : why };
  const isOnePage = reader.pageSize !== undefined || whole.rows.length <= size;
  const key = isOnePage ? null : shelf.keep(reader, whole);
  return key === null ? anew : { result: key, ...anew };
}

/** The list that a button goes over, or else a new one. */
export async function frozen<T extends Listed>(
  shelf: ResultShelf<T>,
  size: number,
  asked: RefreshableInput,
  asker: Asker,
  read: () => Promise<T>,
): Promise<{ readonly whole: T; readonly marks: Marks }> {
  const before = recall(shelf, asked, asker);
  if (before !== null) return before;
  const whole = await read();
  return { whole, marks: keep(shelf, whole, size, asked, asker) };
}

/** One page of a view that holds the rows of all of them. */
export function pageOf<T extends { readonly rows: readonly unknown[]; readonly paging: Paging }>(
  { whole, marks }: { readonly whole: T; readonly marks: Marks },
  page: number,
  size: number,
): T {
  const { rows, ...place } = slice(whole.rows, page, size);
  return { ...whole, rows, paging: { ...whole.paging, ...place, ...marks } };
}
