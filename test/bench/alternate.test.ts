import { expect, it } from 'vitest';
import { alternate } from './alternate.ts';

it('takes turns, and leaves the warm-up out', async () => {
  const order: string[] = [];
  let turns = 0;
  const take = (who: string) => async () => {
    order.push(who);
    turns += 1;
    return turns;
  };
  const samples = await alternate({ rounds: 2, warmUp: 1 }, take('ours'), take('baseline'));
  expect(order).toEqual(['ours', 'baseline', 'ours', 'baseline', 'ours', 'baseline']);
  expect(samples).toEqual({ ours: [3, 5], baseline: [4, 6] });
});
