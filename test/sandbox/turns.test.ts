import { expect, test } from 'vitest';
import { createTurns } from '../../src/sandbox/turns.ts';

test('what takes turns does not overlap and keeps its order, also after a failure', async () => {
  const inTurn = createTurns();
  const told: string[] = [];
  const act = (name: string) =>
    inTurn(async () => {
      told.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      told.push(`${name} ends`);
      if (name === 'second') throw new Error('no');
      return name;
    });
  const results = await Promise.allSettled([act('first'), act('second'), act('third')]);
  expect(told).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
