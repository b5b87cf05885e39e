import { expect, it } from 'vitest';
import { yieldToEventLoop } from '../../../src/lib/clock.ts';
import { createSendPlaces } from '../../../src/requests/run/claim-and-send.ts';

/** Jobs that go on until they are ended, and the names of those that began. */
function jobs() {
  const places = createSendPlaces(2);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const start = (name: string) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return places.take(async () => {
      begun.push(name);
      await end.promise;
      return name;
    });
  };
  return { begun, start, end: (name: string) => ends.get(name) };
}

it('a job waits for one of the places, in its turn', async () => {
  const { begun, start, end } = jobs();
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(start);
  await yieldToEventLoop();
  expect(begun).toEqual(['a', 'b']);
  end('b')?.resolve();
  expect(await second).toBe('b');
  await yieldToEventLoop();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a')?.resolve();
  expect(await first).toBe('a');
  end('c')?.resolve();
  end('d')?.resolve();
  expect(await Promise.all([third, fourth])).toEqual(['c', 'd']);
});

it('a job that fails gives its place to the next', async () => {
  const { begun, start, end } = jobs();
  const [first, second, third] = ['a', 'b', 'c'].map(start);
  await yieldToEventLoop();
  end('a')?.reject(new Error('lost'));
  await expect(first).rejects.toThrow('lost');
  end('b')?.resolve();
  end('c')?.resolve();
  expect(await Promise.all([second, third])).toEqual(['b', 'c']);
  expect(begun).toEqual(['a', 'b', 'c']);
});
