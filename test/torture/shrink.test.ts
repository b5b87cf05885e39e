/** A failing schedule is made as short as possible. */
import { describe, expect, it } from 'vitest';
import type { Schedule, ScheduleStep } from './schedule.ts';
import { shrink } from './shrink.ts';

const step = (at: number, of = 'traffic'): ScheduleStep => ({ at, of, deed: { do: 'mend' } });
const schedule = (steps: ScheduleStep[]): Schedule => ({ seed: 's', database: 'sqlite', replicas: 1, steps });
const LONG = schedule(Array.from({ length: 40 }, (_, number) => step(number * 100, `theme ${number % 4}`)));

/** Fails when all of these steps of the long schedule are in it, whatever it starts with. */
function failsWith(needed: readonly number[]) {
  const played: number[] = [];
  const fails = async ({ steps }: Schedule) => {
    played.push(steps.length);
    const first = needed[0] ?? 0;
    return needed.every((at) =>
      steps.some((one) =>
        steps.some((other) => one.at - other.at === at - first && other.of === LONG.steps[first / 100]?.of),
      ),
    );
  };
  return { fails, played };
}
const options = { mostPlays: 500, onProgress: () => undefined };

describe('a schedule that fails', () => {
  it('is reduced to the steps that it needs, and fails three times out of three', async () => {
    const { fails } = failsWith([300, 1_100]);
    const shrunk = await shrink(LONG, { ...options, fails });
    expect(shrunk).toMatchObject({ failed: 3, of: 3 });
    expect(shrunk.schedule.steps.map(({ at }) => at)).toEqual([0, 800]);
  });

  it('is reduced to one theme when that is enough', async () => {
    const { fails, played } = failsWith([100, 500]);
    const shrunk = await shrink(LONG, { ...options, fails });
    expect(shrunk.schedule.steps).toHaveLength(2);
    expect(played.slice(0, 3).every((length) => length === 10)).toBe(true);
  });

  it('stays as it is when nothing shorter fails', async () => {
    const fails = async ({ steps }: Schedule) => steps.length === LONG.steps.length;
    expect(await shrink(LONG, { ...options, fails })).toEqual({ schedule: LONG, failed: 3, of: 3 });
  });

  it('is returned in the longer form when the shortest one fails only sometimes', async () => {
    let short = 0;
    const fails = async ({ steps }: Schedule) => {
      if (steps.length > 10) return steps.length === LONG.steps.length;
      short += 1;
      return steps.length === 10 && short === 1;
    };
    const { schedule: kept, failed } = await shrink(LONG, { ...options, fails });
    expect([kept.steps.length, failed]).toEqual([40, 3]);
  });

  it('is not played more often than allowed', async () => {
    const { fails, played } = failsWith([300, 1_100]);
    await shrink(LONG, { ...options, mostPlays: 5, fails });
    expect(played.length).toBeLessThanOrEqual(5 + 3 * 3);
  });
});
