import { expect, test } from 'vitest';
import { createUndo } from '../../src/sandbox/undo.ts';

test('steps are undone once, the newest first, also after one that fails', async () => {
  const undo = createUndo();
  const done: string[] = [];
  undo.add(async () => done.push('first'));
  undo.add(() => Promise.reject(new Error('second')));
  undo.add(async () => done.push('third'));
  await expect(undo.all()).rejects.toThrow('second');
  expect(done).toEqual(['third', 'first']);
  await undo.all();
  expect(done).toEqual(['third', 'first']);
});
