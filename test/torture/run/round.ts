/** One round: a fresh stage, the schedule, recovery, and the checker's findings. */
import { type Counts, check, countsOf } from '../checker/check.ts';
import { collect, newestEvent } from '../checker/collect.ts';
import type { Violation } from '../checker/evidence.ts';
import type { Schedule } from '../schedule.ts';
import { playSchedule } from './play-schedule.ts';
import { recover } from './recovery.ts';
import type { TortureStages } from './torture-stage.ts';

export type Round = {
  readonly findings: readonly Violation[];
  readonly counts: Counts;
};

export async function playRound(stages: TortureStages, schedule: Schedule): Promise<Round> {
  const stage = await stages.open();
  try {
    const { address } = stage.client;
    const baseline = await newestEvent(address);
    const { acts } = await playSchedule(stage, schedule);
    const { databaseUrl, lines } = stage;
    const evidenceOf = (unrest: string) => collect({ address, databaseUrl, acts, lines, baseline, unrest });
    const unrest = await recover(stage, schedule, async () => check(await evidenceOf('')).length === 0);
    const evidence = await evidenceOf(unrest);
    return { findings: check(evidence), counts: countsOf(evidence) };
  } finally {
    await stage.stop();
  }
}
