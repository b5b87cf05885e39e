/** All rows of all pages; how many pages there can be is the client's to bound. */
export async function collectRows<Row>(
  pages: AsyncIterable<{ readonly rows: readonly Row[] }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page.rows);
  return rows;
}
