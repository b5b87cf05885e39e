/** Rounds of one seed, one after the other, until the time is over or something is found. */
import type { Violation } from '../checker/evidence.ts';
import type { TortureSetting } from '../plan/fault-themes.ts';
import { planNumbered } from '../plan/plan-round.ts';
import { NO_PROGRESS, type Progress } from '../progress.ts';
import type { Schedule } from '../schedule.ts';
import { playRound } from './round.ts';
import type { TortureStages } from './torture-stage.ts';

export type SoakOptions = {
  readonly seed: string;
  readonly setting: TortureSetting;
  readonly minutes: number;
  readonly keepGoing: boolean;
  /** The opening theme that is played before the others. */
  readonly first?: string | undefined;
  readonly from?: Progress;
  readonly onProgress: (progress: Progress) => void;
  readonly say: (line: string) => void;
};

export type FailedRound = { readonly schedule: Schedule; readonly findings: readonly Violation[] };
export type SoakResult = { readonly progress: Progress; readonly failed: readonly FailedRound[] };

const MINUTE_MS = 60_000;

export async function soak(stages: TortureStages, options: SoakOptions): Promise<SoakResult> {
  const { seed, setting, minutes, keepGoing, say } = options;
  const failed: FailedRound[] = [];
  let progress = options.from ?? NO_PROGRESS;
  while (progress.spent < minutes * MINUTE_MS) {
    const schedule = planNumbered(seed, progress.rounds + 1, setting, options.first);
    const begun = performance.now();
    const { findings, counts } = await playRound(stages, schedule);
    const took = performance.now() - begun;
    const totals = add(progress.totals, { ...stepCounts(schedule), ...counts, findings: findings.length });
    progress = { ...progress, rounds: progress.rounds + 1, spent: progress.spent + took, totals };
    say(
      `round ${schedule.seed}: ${themes(schedule)}; ${schedule.steps.length} steps, ${Math.round(took / 1000)} s, ${findings.length} findings`,
    );
    for (const { rule, what } of findings) say(`  ${rule}: ${what}`);
    if (findings.length > 0) failed.push({ schedule, findings });
    if (findings.length > 0 && !keepGoing) break;
    options.onProgress(progress);
  }
  return { progress: { ...progress, passed: failed.length === 0 }, failed };
}

/** Counts of the steps. */
export function stepCounts({
  steps,
}: Schedule): Readonly<Record<'steps' | 'faults' | 'kills' | 'pauses', number>> {
  const of = (how: string) => steps.filter(({ deed }) => deed.do === 'bot' && deed.how === how).length;
  return {
    steps: steps.length,
    faults: steps.filter(({ deed }) => ['fault', 'database', 'delivery'].includes(deed.do)).length,
    kills: of('kill'),
    pauses: of('pause'),
  };
}

export function add(
  totals: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum = { ...totals };
  for (const [name, number] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + number;
  return sum;
}

function themes({ steps }: Schedule): string {
  const names = new Set(steps.map(({ of = '' }) => of.split(' ')[0]).filter((name) => name !== 'traffic'));
  return [...names].join(', ');
}
