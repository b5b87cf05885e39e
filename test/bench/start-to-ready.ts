/** From the start of the process until it says that it is ready. */
import { type Figure, figure, median } from './figure.ts';
import type { Stages } from './stages.ts';
import { takeTurns } from './turns.ts';

export async function startToReady({ ours, bare }: Stages): Promise<readonly Figure[]> {
  const [product = [], bolt = []] = await takeTurns({ rounds: 11, warmUp: 1 }, [ours.restart, bare.restart]);
  return [
    figure({
      name: 'start to ready, on an empty database',
      unit: 'ms',
      ours: median(product),
      baseline: median(bolt),
      against: 'bare Bolt until it is connected',
    }),
  ];
}
