/** Rounds of one seed, one after the other, until the time is over or something is found. */
import type { Finding } from './checker/evidence.ts';
import { planRound } from './plan.ts';
import { NO_PROGRESS, type Progress } from './progress.ts';
import { playRound } from './round.ts';
import type { Schedule } from './schedule.ts';
import type { Stages } from './stage.ts';
import type { Setting } from './themes.ts';

export type SoakOptions = {
  readonly seed: string;
  readonly setting: Setting;
  readonly minutes: number;
  readonly keepGoing: boolean;
  readonly from?: Progress;
  readonly onProgress: (progress: Progress) => void;
  readonly say: (line: string) => void;
};

export type Failed = { readonly schedule: Schedule; readonly findings: readonly Finding[] };
export type Soaked = { readonly progress: Progress; readonly failed: readonly Failed[] };

const MINUTE_MS = 60_000;

export async function soak(stages: Stages, options: SoakOptions): Promise<Soaked> {
  const { seed, setting, minutes, keepGoing, say } = options;
  const failed: Failed[] = [];
  let progress = options.from ?? NO_PROGRESS;
  while (progress.spent < minutes * MINUTE_MS) {
    const schedule = planRound(`${seed}/${progress.rounds + 1}`, setting);
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

/** How much of what was done. */
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
