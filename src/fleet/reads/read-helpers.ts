/** A thing that is not there any more as null, where that is an answer and not a failure. */
import { FleetFailure } from '../fleet.ts';

/** The result of `read`, or null where the service does not know the thing; every other FleetFailure goes on. */
export async function nullIfMissing<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure && error.error.kind === 'missing') return null;
    throw error;
  }
}

/** All rows of all pages; how many pages there can be is the client's to bound. */
export async function collectRows<Row>(
  pages: AsyncIterable<{ readonly rows: readonly Row[] }>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of pages) rows.push(...page.rows);
  return rows;
}
