/** What a device card takes beyond what the management service takes for the reads behind it. */
import { MINUTE } from '../../src/clock.ts';
import { createDirectReads } from './direct-reads.ts';
import { type Figure, figure, lowerQuartile, type Measured } from './figure.ts';
import type { Stage } from './stage.ts';
import type { Stages } from './stages.ts';
import { type Rounds, takeTurnsInLives } from './turns.ts';

const COMMAND = 'device web-01';
const CARD = /^web-01: /;

/** With the device index at hand, and when it is too old, so that the card waits for a walk through the fleet. */
export async function deviceCard(stages: Stages): Promise<readonly Figure[]> {
  const fresh = async () => undefined;
  const stale = () => stages.ours.travel(2 * MINUTE);
  return [
    figure({
      ...(await beyondTheService(stages, fresh, { rounds: 250, warmUp: 50 })),
      name: 'device card beyond the service’s own time',
    }),
    figure({
      ...(await beyondTheService(stages, stale, { rounds: 20, warmUp: 5 })),
      name: 'the same on a stale device index',
    }),
  ];
}

/** `prepare` brings about, before each card, what the card is to find. */
async function beyondTheService(
  stages: Stages,
  prepare: () => Promise<void>,
  rounds: Rounds,
): Promise<Omit<Measured, 'name'>> {
  const { ours, bare } = stages;
  await timeCard(ours);
  await prepare();
  const reads = createDirectReads(ours.management, await readsBehindCard(ours));
  try {
    const [cards = [], services = [], fixed = []] = await takeTurnsInLives(stages, rounds, [
      async () => {
        await prepare();
        return timeCard(ours);
      },
      reads.time,
      async () => (await bare.ask(COMMAND)).answerMs,
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
