import { FleetFailure } from '../fleet.ts';

/** The result of `read`, or null when the service does not know the thing; every other FleetFailure is thrown on. */
export async function nullIfMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure && error.error.kind === 'missing') return null;
    throw error;
  }
}

/** All rows of all pages. The client limits how many pages there can be. */
export async function collectRows<Row>(
  pages: AsyncIterable<{ readonly rows: readonly Row[] }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page.rows);
  return rows;
}
