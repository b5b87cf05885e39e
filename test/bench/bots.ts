/** The product beside bare Bolt: acknowledgements, starts and memory. */

import { setTimeout as pause } from 'node:timers/promises';
import type { BenchStage } from './bench-stage.ts';
import { CARD_INTERVAL_MS } from './fleet/device-card.ts';
import { type Figure, figure, lowerQuartile, median } from './report/figure.ts';
import { runInterleaved, runInterleavedProcesses } from './report/interleaved-runs.ts';
import { residentMemory } from './report/process-memory.ts';
import type { BenchStages } from './stages.ts';

const COMMAND = 'device web-01';

/** From the envelope on the socket to its acknowledgement. */
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

/** From the start of the process until it says that it is ready. */
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

const COMMANDS = 1_000;
/** This many follow each other before the other side's turn. */
const MEASURE_ORDER = 100;
/** Time to settle, for memory that is freed a little later. */
const SETTLE_MS = 5_000;

/** Resident memory of both, soon after a start and after a thousand commands; empty where the system is not Linux. */
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
