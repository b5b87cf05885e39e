/** What a device card takes beyond what the management service takes for the reads behind it. */
import { MINUTE } from '../../src/clock.ts';
import { alternate, type Rounds } from './alternate.ts';
import { createDirectReads } from './direct-reads.ts';
import { type Figure, figure, median } from './figure.ts';
import type { Stage } from './stage.ts';
import type { Stages } from './stages.ts';

const COMMAND = 'device web-01';
const CARD = /^web-01: /;

/** With the device index at hand, and when it is too old, so that the card waits for a walk through the fleet. */
export async function deviceCard(stages: Stages): Promise<readonly Figure[]> {
  const fresh = async () => undefined;
  const stale = () => stages.ours.travel(2 * MINUTE);
  return [
    await beyondTheService(
      'device card beyond the service’s own time',
      fresh,
      { rounds: 1_000, warmUp: 100 },
      stages,
    ),
    await beyondTheService('the same on a stale device index', stale, { rounds: 60, warmUp: 10 }, stages),
  ];
}

async function beyondTheService(
  name: string,
  prepare: () => Promise<void>,
  rounds: Rounds,
  { ours, bare }: Stages,
): Promise<Figure> {
  await timeCard(ours);
  await prepare();
  const reads = createDirectReads(ours.management, await readsBehindCard(ours));
  try {
    const card = async () => {
      await prepare();
      return (await timeCard(ours)) - (await reads.time());
    };
    const samples = await alternate(rounds, card, async () => (await bare.ask(COMMAND)).answerMs);
    return figure({
      name,
      unit: 'ms',
      ours: median(samples.ours),
      baseline: median(samples.baseline),
      against: 'bare Bolt with a fixed answer',
    });
  } finally {
    await reads.close();
  }
}

async function timeCard(stage: Stage): Promise<number> {
  const { answerMs, answer } = await stage.ask(COMMAND);
  if (!CARD.test(answer)) throw new Error(`not a device card: ${answer}`);
  return answerMs;
}

/** Paths that the product reads for the next card. */
async function readsBehindCard(stage: Stage): Promise<readonly string[]> {
  const before = stage.journal().length;
  await timeCard(stage);
  const asked = stage
    .journal()
    .slice(before)
    .filter(({ service }) => service === 'management');
  // The poll goes on at its own pace and may fall between.
  return asked.map(({ path }) => path).filter((path) => path !== '/events');
}
