/**
 * Something that each test has for itself: created before it, removed after it. The function returns that of the
 * running test.
 */
import { afterEach, beforeEach } from 'vitest';

export function perTest<T>(create: () => Promise<T>, end: (made: T) => Promise<void>): () => T {
  let current: { readonly made: T } | null = null;
  beforeEach(async () => {
    current = { made: await create() };
  });
  afterEach(async () => {
    const ended = current;
    current = null;
    if (ended !== null) await end(ended.made);
  });
  return () => {
    if (current === null) throw new Error('no test is under way');
    return current.made;
  };
}
