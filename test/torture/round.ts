/** One round: a fresh stage, the schedule, healing, and the checker's findings. */
import { type Counts, check, counts } from './checker/check.ts';
import { collect, newestEvent } from './checker/collect.ts';
import type { Finding } from './checker/evidence.ts';
import { heal } from './heal.ts';
import { play } from './play.ts';
import type { Schedule } from './schedule.ts';
import type { Stages } from './stage.ts';

export type Round = {
  readonly findings: readonly Finding[];
  readonly counts: Counts;
};

export async function playRound(stages: Stages, schedule: Schedule): Promise<Round> {
  const stage = await stages.open();
  try {
    const { address } = stage.client;
    const baseline = await newestEvent(address);
    const { acts } = await play(stage, schedule);
    const { databaseUrl, lines } = stage;
    const evidenceOf = (unrest: string) => collect({ address, databaseUrl, acts, lines, baseline, unrest });
    const unrest = await heal(stage, schedule, async () => check(await evidenceOf('')).length === 0);
    const evidence = await evidenceOf(unrest);
    return { findings: check(evidence), counts: counts(evidence) };
  } finally {
    await stage.stop();
  }
}
