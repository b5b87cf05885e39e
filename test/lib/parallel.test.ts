import { expect, it } from 'vitest';
import { inParallel } from '../../src/lib/lists.ts';

/** Jobs that end when the test says so. */
function heldJobs() {
  const begun: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<void>>();
  const job = (item: number): Promise<void> => {
    begun.push(item);
    const end = Promise.withResolvers<void>();
    ends.set(item, end);
    return end.promise;
  };
  return { begun, ends, job };
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('runs as many jobs at once as there are places, in their order', async () => {
  const { begun, ends, job } = heldJobs();
  const all = inParallel([1, 2, 3, 4], 2, job);
  expect(begun).toEqual([1, 2]);
  ends.get(2)?.resolve();
  await turn();
  expect(begun).toEqual([1, 2, 3]);
  for (const item of [1, 3]) ends.get(item)?.resolve();
  await turn();
  ends.get(4)?.resolve();
  await all;
});

it('begins no other job after an error, and throws it once those that began have ended', async () => {
  const { begun, ends, job } = heldJobs();
  const all = inParallel([1, 2, 3], 2, job);
  const thrown = expect(all).rejects.toThrow('it broke');
  ends.get(1)?.reject(new Error('it broke'));
  await turn();
  ends.get(2)?.resolve();
  await thrown;
  expect(begun).toEqual([1, 2]);
});
