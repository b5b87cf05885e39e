import { expect, test } from 'vitest';
import { createCleanupStack, createRunInTurn } from '../../src/sandbox/lifecycle.ts';

test('cleanup runs once, the newest first, even after a failure', async () => {
  const undo = createCleanupStack();
  const done: string[] = [];
  undo.add(async () => done.push('first'));
  undo.add(() => Promise.reject(new Error('second')));
  undo.add(async () => done.push('third'));
  await expect(undo.all()).rejects.toThrow('second');
  expect(done).toEqual(['third', 'first']);
  await undo.all();
  expect(done).toEqual(['third', 'first']);
});

test('queued actions run one by one in order, even after a failure', async () => {
  const inTurn = createRunInTurn();
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
