/** From the start of the process until it says that it is ready. */
import { alternate } from './alternate.ts';
import { type Figure, figure, median } from './figure.ts';
import type { Stages } from './stages.ts';

export async function startToReady({ ours, bare }: Stages): Promise<readonly Figure[]> {
  const samples = await alternate({ rounds: 11, warmUp: 1 }, ours.restart, bare.restart);
  return [
    figure({
      name: 'start to ready, on an empty database',
      unit: 'ms',
      ours: median(samples.ours),
      baseline: median(samples.baseline),
      against: 'bare Bolt until it is connected',
    }),
  ];
}
