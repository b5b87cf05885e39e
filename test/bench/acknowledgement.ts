/** From the envelope on the socket to its acknowledgement. */
import { type Figure, figure, lowerQuartile } from './figure.ts';
import type { Stages } from './stages.ts';
import { takeTurnsInLives } from './turns.ts';

const COMMAND = 'device web-01';

export async function acknowledgement(stages: Stages): Promise<readonly Figure[]> {
  const { ours, bare } = stages;
  const [product = [], bolt = []] = await takeTurnsInLives(stages, { rounds: 250, warmUp: 50 }, [
    async () => (await ours.ask(COMMAND)).ackMs,
    async () => (await bare.ask(COMMAND)).ackMs,
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
