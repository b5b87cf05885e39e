/** What a device card costs beyond the management service's own time for the reads behind it. */

import type { BenchStage } from '../bench-stage.ts';
import { type Figure, figure, lowerQuartile, type Measurement } from '../report/figure.ts';
import { type Rounds, runInterleavedProcesses } from '../report/interleaved-runs.ts';
import type { BenchStages } from '../stages.ts';
import { createDirectReads } from './direct-reads.ts';

const COMMAND = 'device web-01';
const CARD = /^web-01: /;

/** Interval on the clock: with it, the product's own limit of 100 requests in two seconds delays no card. */
export const CARD_INTERVAL_MS = 200;
/** Lists that the bot reads on its own schedule may fall between those of a card. */
const READS_BEHIND_CARD: ReadonlySet<string> = new Set(['/events', '/servers', '/servergroups', '/policies']);

export async function deviceCard(stages: BenchStages): Promise<readonly Figure[]> {
  const measured = await overheadOverService(stages, { rounds: 250, warmUp: 50 });
  return [figure({ ...measured, name: 'device card beyond the service’s own time' })];
}

async function overheadOverService(stages: BenchStages, rounds: Rounds): Promise<Omit<Measurement, 'name'>> {
  const { ours, bare } = stages;
  await timeCard(ours);
  const reads = createDirectReads(ours.management, await readsBehindCard(ours));
  try {
    const [cards = [], services = [], fixed = []] = await runInterleavedProcesses(stages, rounds, [
      async () => {
        await ours.advanceClock(CARD_INTERVAL_MS);
        return timeCard(ours);
      },
      reads.time,
      async () => (await bare.sendCommand(COMMAND)).answerMs,
    ]);
    return {
      unit: 'ms',
      ours: lowerQuartile(cards) - lowerQuartile(services),
      baseline: lowerQuartile(fixed),
      against: 'bare Bolt with a fixed answer',
    };
  } finally {
    await reads.close();
  }
}

async function timeCard(stage: BenchStage): Promise<number> {
  const { answerMs, answer } = await stage.sendCommand(COMMAND);
  if (!CARD.test(answer)) throw new Error(`not a device card: ${answer}`);
  return answerMs;
}

/** Paths that the product reads for the next card. */
async function readsBehindCard(stage: BenchStage): Promise<readonly string[]> {
  const before = stage.journal().length;
  await timeCard(stage);
  const requests = stage
    .journal()
    .slice(before)
    .filter(({ service }) => service === 'management');
  return requests.map(({ path }) => path).filter((path) => !READS_BEHIND_CARD.has(path));
}
