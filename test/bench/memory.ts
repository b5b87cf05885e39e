/** Resident memory of the two bots, soon after a start and after a thousand commands. */
import { setTimeout as pause } from 'node:timers/promises';
import type { BenchStage } from './bench-stage.ts';
import { CARD_INTERVAL_MS } from './fleet/device-card.ts';
import { type Figure, figure } from './report/figure.ts';
import { runInterleaved } from './report/interleaved-runs.ts';
import { residentMemory } from './report/process-memory.ts';
import type { BenchStages } from './stages.ts';

const COMMANDS = 1_000;
/** This many follow each other before the other side's turn. */
const MEASURE_ORDER = 100;
/** Time to settle, for memory that is freed a little later. */
const SETTLE_MS = 5_000;

/** Empty where the system is not Linux. */
export async function memory({ ours, bare }: BenchStages): Promise<readonly Figure[]> {
  await ours.restart();
  await bare.restart();
  await pause(SETTLE_MS);
  const ready = await measure('some seconds after ready');
  await runInterleaved({ rounds: COMMANDS / MEASURE_ORDER, warmUp: 0 }, [
    () => sendManyCommands(ours, () => ours.advanceClock(CARD_INTERVAL_MS)),
    () => sendManyCommands(bare, async () => undefined),
  ]);
  await pause(SETTLE_MS);
  return [...ready, ...(await measure(`after ${COMMANDS} device cards`))];
}

async function sendManyCommands(stage: BenchStage, prepare: () => Promise<void>): Promise<number> {
  for (let command = 0; command < MEASURE_ORDER; command += 1) {
    await prepare();
    await stage.sendCommand('device web-01');
  }
  return MEASURE_ORDER;
}

async function measure(when: string): Promise<readonly Figure[]> {
  const ours = await residentMemory('start-product.js');
  const baseline = await residentMemory('bare-bolt.js');
  if (ours === null || baseline === null) return [];
  return [figure({ name: `resident memory ${when}`, unit: 'MiB', ours, baseline, against: 'bare Bolt' })];
}
