/** One page of a list that is already read; the first page is 0. */
export type Slice<T> = { readonly rows: readonly T[]; readonly page: number; readonly pages: number };

/** A page past the end is the last one: a list may have shrunk since its buttons were drawn. */
export function slice<T>(all: readonly T[], page: number, size: number): Slice<T> {
  const pages = Math.max(Math.ceil(all.length / size), 1);
  const at = Math.min(page, pages - 1);
  return { rows: all.slice(at * size, (at + 1) * size), page: at, pages };
}

/** All rows of all pages; how many pages there can be is the client's to bound. */
export async function collectRows<T>(
  pages: AsyncIterable<{ readonly rows: readonly T[] }>,
): Promise<readonly T[]> {
  const rows: T[] = [];
  for await (const page of pages) rows.push(...page.rows);
  return rows;
}
