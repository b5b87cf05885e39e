/** From the envelope on the socket to its acknowledgement. */
import { type Figure, figure, lowerQuartile } from './report/figure.ts';
import { runInterleavedProcesses } from './report/interleaved-runs.ts';
import type { BenchStages } from './stages.ts';

const COMMAND = 'device web-01';

export async function acknowledgement(stages: BenchStages): Promise<readonly Figure[]> {
  const { ours, bare } = stages;
  const [product = [], bolt = []] = await runInterleavedProcesses(stages, { rounds: 250, warmUp: 50 }, [
    async () => (await ours.sendCommand(COMMAND)).ackMs,
    async () => (await bare.sendCommand(COMMAND)).ackMs,
  ]);
  return [
    figure({
      name: 'envelope to acknowledgement',
      unit: 'ms',
      ours: lowerQuartile(product),
      baseline: lowerQuartile(bolt),
      against: 'bare Bolt',
    }),
  ];
}
