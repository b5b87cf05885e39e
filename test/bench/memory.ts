/** Resident memory of the two bots, soon after a start and after a thousand commands. */
import { setTimeout as pause } from 'node:timers/promises';
import { CARDS_APART_MS } from './device-card.ts';
import { type Figure, figure } from './figure.ts';
import { residentMemory } from './process-memory.ts';
import type { Stage } from './stage.ts';
import type { Stages } from './stages.ts';
import { takeTurns } from './turns.ts';

const COMMANDS = 1_000;
/** So many follow each other before it is the other one's turn. */
const IN_TURN = 100;
/** Time to settle in, for memory that is freed a little later. */
const SETTLE_MS = 5_000;

/** Nothing where the system keeps no `/proc`. */
export async function memory({ ours, bare }: Stages): Promise<readonly Figure[]> {
  await ours.restart();
  await bare.restart();
  await pause(SETTLE_MS);
  const ready = await measure('some seconds after ready');
  await takeTurns({ rounds: COMMANDS / IN_TURN, warmUp: 0 }, [
    () => askMany(ours, () => ours.travel(CARDS_APART_MS)),
    () => askMany(bare, async () => undefined),
  ]);
  await pause(SETTLE_MS);
  return [...ready, ...(await measure(`after ${COMMANDS} device cards`))];
}

async function askMany(stage: Stage, prepare: () => Promise<void>): Promise<number> {
  for (let command = 0; command < IN_TURN; command += 1) {
    await prepare();
    await stage.ask('device web-01');
  }
  return IN_TURN;
}

async function measure(when: string): Promise<readonly Figure[]> {
  const ours = await residentMemory('product.ts');
  const baseline = await residentMemory('bare-bolt.ts');
  if (ours === null || baseline === null) return [];
  return [figure({ name: `resident memory ${when}`, unit: 'MiB', ours, baseline, against: 'bare Bolt' })];
}
