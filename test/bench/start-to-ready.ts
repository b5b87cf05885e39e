/** From the start of the process until it says that it is ready. */
import { type Figure, figure, median } from './report/figure.ts';
import { runInterleaved } from './report/interleaved-runs.ts';
import type { BenchStages } from './stages.ts';

export async function startToReady({ ours, bare }: BenchStages): Promise<readonly Figure[]> {
  const [product = [], bolt = []] = await runInterleaved({ rounds: 11, warmUp: 1 }, [
    ours.restart,
    bare.restart,
  ]);
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
