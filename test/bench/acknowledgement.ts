/** From the envelope on the socket to its acknowledgement. */
import { alternate } from './alternate.ts';
import { type Figure, figure, median } from './figure.ts';
import type { Stages } from './stages.ts';

export async function acknowledgement({ ours, bare }: Stages): Promise<readonly Figure[]> {
  const samples = await alternate(
    { rounds: 1_000, warmUp: 100 },
    async () => (await ours.ask('device web-01')).ackMs,
    async () => (await bare.ask('device web-01')).ackMs,
  );
  return [
    figure({
      name: 'envelope to acknowledgement',
      unit: 'ms',
      ours: median(samples.ours),
      baseline: median(samples.baseline),
      against: 'bare Bolt',
    }),
  ];
}
