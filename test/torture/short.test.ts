/**
 * The torture in its short form: one fixed schedule on SQLite, and one with two replicas on PostgreSQL. `npm run torture`
 * plays longer ones.
 */
import { expect, it } from 'vitest';
import { planOf } from './plan.ts';
import { playRound } from './round.ts';
import { createStages } from './stage.ts';
import { absence, lateAlone, lateEdits, race, type Setting, type Theme } from './themes.ts';

/** Far more than it takes on a machine with nothing else to do. */
const PATIENCE_MS = 400_000;

const SHORT: readonly (readonly [Setting, readonly Theme[]])[] = [
  [{ database: 'sqlite', replicas: 1 }, [lateEdits, race, absence]],
  [{ database: 'postgres', replicas: 2 }, [lateAlone, race]],
];

it.each(SHORT)(
  'finds nothing wrong after a round on %j',
  async (setting, themes) => {
    const stages = await createStages(setting);
    try {
      const { findings, counts } = await playRound(stages, planOf(themes, 'short', setting));
      expect(findings).toEqual([]);
      expect(counts.events).toBeGreaterThan(0);
      expect(counts.writes).toBeGreaterThan(0);
    } finally {
      await stages.stop();
    }
  },
  PATIENCE_MS,
);
