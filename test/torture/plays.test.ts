/**
 * The torture in its short form: one fixed schedule on SQLite. `npm run torture -- --all` also plays one with two replicas
 * on PostgreSQL, and each schedule that once found something that is fixed now. All are played at the same time, because
 * each spends most of its time waiting.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { playsAll } from '../harness/runs.ts';
import {
  absence,
  type FaultTheme,
  lateAlone,
  lateEdits,
  race,
  type TortureSetting,
} from './plan/fault-themes.ts';
import { planOf } from './plan/plan-round.ts';
import { killedRollout } from './plan/rollout-themes.ts';
import { playRound, type Round } from './run/round.ts';
import { createTortureStages } from './run/torture-stage.ts';
import { readSchedule, type Schedule } from './schedule.ts';

const FOUND = join(import.meta.dirname, 'found');
/** Far more than it takes on an idle machine. */
const PATIENCE_MS = 400_000;

const SHORT: readonly (readonly [TortureSetting, readonly FaultTheme[]])[] = [
  [{ database: 'sqlite', replicas: 1 }, [lateEdits, race, absence, killedRollout]],
];
const WITH_REPLICAS: typeof SHORT = [[{ database: 'postgres', replicas: 2 }, [lateAlone, race]]];

async function played(schedule: Schedule): Promise<Round> {
  const stages = await createTortureStages(schedule);
  try {
    return await playRound(stages, schedule);
  } finally {
    await stages.stop();
  }
}

it.concurrent.each([...SHORT, ...(playsAll ? WITH_REPLICAS : [])])(
  'finds nothing wrong after a round on %j',
  async (setting, themes) => {
    const { findings, counts } = await played(planOf(themes, 'short', setting));
    expect(findings).toEqual([]);
    expect(counts.events).toBeGreaterThan(0);
    expect(counts.writes).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

it.concurrent.each(playsAll ? readdirSync(FOUND).filter((name) => name.endsWith('.json')) : [])(
  'finds nothing wrong after %s',
  async (name) => {
    const { findings } = await played(await readSchedule(join(FOUND, name)));
    expect(findings).toEqual([]);
  },
  PATIENCE_MS,
);
