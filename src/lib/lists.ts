/** Many items: in parts, or several at once. */

/** Splits `items` into parts of at most `size`. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Runs `job` for each item, in their order and `places` at once. After an error no other begins; it is thrown at the end. */
export async function inParallel<T>(
  items: Iterable<T>,
  places: number,
  job: (item: T) => Promise<void>,
): Promise<void> {
  const rest = [...items].values();
  let failed = false;
  const place = async (): Promise<void> => {
    for (const item of rest) {
      if (failed) return;
      try {
        await job(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: places }, place));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
