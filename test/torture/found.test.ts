/** What the torture found before and was mended: each schedule, in its shortest form, played once. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playRound } from './round.ts';
import { readSchedule } from './schedule.ts';
import { createStages } from './stage.ts';

const FOLDER = join(import.meta.dirname, 'found');
/** Far more than it takes on a machine with nothing else to do. */
const PATIENCE_MS = 400_000;

it.each(readdirSync(FOLDER).filter((name) => name.endsWith('.json')))(
  'finds nothing wrong after %s',
  async (name) => {
    const schedule = await readSchedule(join(FOLDER, name));
    const stages = await createStages(schedule);
    try {
      const { findings } = await playRound(stages, schedule);
      expect(findings).toEqual([]);
    } finally {
      await stages.stop();
    }
  },
  PATIENCE_MS,
);
