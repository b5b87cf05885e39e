/** Makes a failing schedule as short as possible: delta debugging over its steps. Knows nothing of sandboxes. */
import type { Schedule, ScheduleStep } from './schedule.ts';

export type ShrinkOptions = {
  /** Plays it on a fresh stage; true when it breaks the same rule. */
  readonly fails: (schedule: Schedule) => Promise<boolean>;
  /** How often it may be played. */
  readonly mostPlays: number;
  readonly onProgress: (what: string) => void;
};

export type ShrinkResult = {
  readonly schedule: Schedule;
  /** How many of the last plays of this schedule failed: three of three if it is reliable. */
  readonly failed: number;
  readonly of: number;
};

const CONFIRMATIONS = 3;

/** The shortest schedule found that fails each time, or else the shortest that failed at all. */
export async function shrink(schedule: Schedule, options: ShrinkOptions): Promise<ShrinkResult> {
  const { onProgress, mostPlays } = options;
  let plays = 0;
  /** Every failing schedule, shortest last. */
  const failing: Schedule[] = [schedule];
  const attempt = async (steps: readonly ScheduleStep[]): Promise<boolean> => {
    if (plays >= mostPlays || steps.length === 0) return false;
    plays += 1;
    const shorter = { ...schedule, steps: fromZero(steps) };
    const failed = await options.fails(shorter);
    onProgress(`play ${plays}: ${steps.length} steps ${failed ? 'fail' : 'pass'}`);
    if (failed) failing.push(shorter);
    return failed;
  };
  const fewer = await byTheme(schedule.steps, attempt);
  await deltaDebug(fewer, attempt);
  let best: ShrinkResult = { schedule, failed: 0, of: 0 };
  for (const candidate of failing.toReversed()) {
    const failed = await failures(candidate, options);
    onProgress(`${candidate.steps.length} steps fail ${failed} times of ${CONFIRMATIONS}`);
    if (failed > best.failed) best = { schedule: candidate, failed, of: CONFIRMATIONS };
    if (failed === CONFIRMATIONS) break;
  }
  return best;
}

type Attempt = (steps: readonly ScheduleStep[]) => Promise<boolean>;

/** Steps belong to themes: one theme alone is often enough. */
async function byTheme(steps: readonly ScheduleStep[], attempt: Attempt): Promise<readonly ScheduleStep[]> {
  const themes = [...new Set(steps.map(({ of }) => of))];
  for (const theme of themes.toReversed()) {
    const only = steps.filter(({ of }) => of === theme);
    if (only.length < steps.length && (await attempt(only))) return only;
  }
  let left = steps;
  for (const theme of themes) {
    const without = left.filter(({ of }) => of !== theme);
    if (without.length < left.length && (await attempt(without))) left = without;
  }
  return left;
}

/** Zeller's ddmin, on complements: removes smaller and smaller parts as long as it still fails without them. */
async function deltaDebug(steps: readonly ScheduleStep[], attempt: Attempt): Promise<void> {
  let left = steps;
  for (let parts = 2; left.length >= 2; ) {
    const size = Math.ceil(left.length / parts);
    let reduced = false;
    for (let start = 0; start < left.length; start += size) {
      const without = left.toSpliced(start, size);
      if (await attempt(without)) {
        left = without;
        parts = Math.max(parts - 1, 2);
        reduced = true;
        break;
      }
    }
    if (reduced) continue;
    if (size === 1) return;
    parts = Math.min(parts * 2, left.length);
  }
}

/** Removes the time before the first step too. */
function fromZero(steps: readonly ScheduleStep[]): ScheduleStep[] {
  const first = steps[0]?.at ?? 0;
  return steps.map((step) => ({ ...step, at: step.at - first }));
}

async function failures(schedule: Schedule, { fails }: ShrinkOptions): Promise<number> {
  let failed = 0;
  for (let play = 0; play < CONFIRMATIONS; play += 1) {
    if (!(await fails(schedule))) break;
    failed += 1;
  }
  return failed;
}
