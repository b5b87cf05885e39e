/** One page of a list that is already read; the first page is 0. */
export type Slice<T> = { readonly rows: readonly T[]; readonly page: number; readonly pages: number };

/** A page past the end is the last one: a list may have shrunk since its buttons were drawn. */
export function slice<T>(all: readonly T[], page: number, size: number): Slice<T> {
  const pages = Math.max(Math.ceil(all.length / size), 1);
  const at = Math.min(page, pages - 1);
  return { rows: all.slice(at * size, (at + 1) * size), page: at, pages };
}
