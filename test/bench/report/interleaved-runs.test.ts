import { expect, it } from 'vitest';
import { runInterleaved } from './interleaved-runs.ts';

it('takes turns, and leaves the warm-up out', async () => {
  const order: string[] = [];
  const take = (who: string) => async () => order.push(who);
  const samples = await runInterleaved({ rounds: 2, warmUp: 1 }, [take('ours'), take('baseline')]);
  expect(order).toEqual(['ours', 'baseline', 'ours', 'baseline', 'ours', 'baseline']);
  expect(samples).toEqual([
    [3, 5],
    [4, 6],
  ]);
});
