/** What a device card takes beyond what the management service takes for the reads behind it. */
import { createDirectReads } from './direct-reads.ts';
import { type Figure, figure, lowerQuartile, type Measured } from './figure.ts';
import type { Stage } from './stage.ts';
import type { Stages } from './stages.ts';
import { type Rounds, takeTurnsInLives } from './turns.ts';

const COMMAND = 'device web-01';
const CARD = /^web-01: /;

/** So far apart on the clock: the product's own limit of 100 requests in two seconds then holds up no card. */
export const CARDS_APART_MS = 200;
/** Lists that the bot reads at its own pace may fall between those of a card. */
const BEHIND: ReadonlySet<string> = new Set(['/events', '/servers', '/servergroups', '/policies']);

export async function deviceCard(stages: Stages): Promise<readonly Figure[]> {
  const measured = await beyondTheService(stages, { rounds: 250, warmUp: 50 });
  return [figure({ ...measured, name: 'device card beyond the service’s own time' })];
}

async function beyondTheService(stages: Stages, rounds: Rounds): Promise<Omit<Measured, 'name'>> {
  const { ours, bare } = stages;
  await timeCard(ours);
  const reads = createDirectReads(ours.management, await readsBehindCard(ours));
  try {
    const [cards = [], services = [], fixed = []] = await takeTurnsInLives(stages, rounds, [
      async () => {
        await ours.travel(CARDS_APART_MS);
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
  return asked.map(({ path }) => path).filter((path) => !BEHIND.has(path));
}
