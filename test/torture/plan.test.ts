/** Schedules depend only on their seed, and can be stored and read again. */
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfigurationFile } from '../../src/config/configuration-file.ts';
import { instant } from '../../src/lib/clock.ts';
import { seedFleet } from '../../src/sandbox/management/seed/fleet.ts';
import { DATABASES, ENGINEERS, KIOSKS, RULE_TABLE, WINDOWS } from './checker/rule-files.ts';
import { OPENING_THEMES, planNumbered, planRound } from './plan/plan-round.ts';
import { createChance } from './plan/random.ts';
import { RULE_FILES, RULE_TEXTS } from './plan/rule-files.ts';
import { stepCounts } from './run/soak.ts';
import { DEVICES } from './run/torture-stage.ts';
import { readSchedule, scheduleSchema, writeSchedule } from './schedule.ts';

const ALONE = { database: 'sqlite', replicas: 1 } as const;
const TOGETHER = { database: 'postgres', replicas: 3 } as const;
const seeds = Array.from({ length: 200 }, (_, number) => `seed/${number}`);

describe('randomness', () => {
  it('is the same for the same seed, and differs for another', () => {
    const draws = (seed: string) => {
      const chance = createChance(seed);
      return Array.from({ length: 20 }, () => chance.int(1, 1_000));
    };
    expect(draws('a')).toEqual(draws('a'));
    expect(draws('a')).not.toEqual(draws('b'));
  });

  it('stays within its bounds and weights', () => {
    const chance = createChance('bounds');
    const numbers = Array.from({ length: 2_000 }, () => chance.int(3, 5));
    expect(new Set(numbers)).toEqual(new Set([3, 4, 5]));
    const weighted = Array.from({ length: 2_000 }, () =>
      chance.weighted([
        [9, 'often'],
        [1, 'seldom'],
      ]),
    );
    const often = weighted.filter((one) => one === 'often').length;
    expect(often).toBeGreaterThan(1_650);
    expect(often).toBeLessThan(1_950);
  });
});

describe('the plan of a round', () => {
  it('is the same for the same seed and setting', () => {
    expect(planRound('7/1', ALONE)).toEqual(planRound('7/1', ALONE));
    expect(planRound('7/1', ALONE).steps).not.toEqual(planRound('7/2', ALONE).steps);
  });

  it.each([ALONE, TOGETHER])('is in order of time, and has the shape of a schedule: %j', (setting) => {
    for (const seed of seeds) {
      const schedule = planRound(seed, setting);
      expect(scheduleSchema.parse(schedule)).toEqual(schedule);
      const times = schedule.steps.map(({ at }) => at);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('has every kind of fault sooner or later, and pauses replicas only if there are some', () => {
    const deeds = (setting: typeof ALONE | typeof TOGETHER) =>
      seeds.flatMap((seed) => planRound(seed, setting).steps).map(({ of = '', deed }) => ({ of, deed }));
    const kinds = new Set(
      deeds(TOGETHER).map(({ deed }) => (deed.do === 'fault' ? deed.fault.kind : deed.do)),
    );
    for (const kind of 'late cut cut-after malformed status slow throttle answer list'.split(' '))
      expect(kinds).toContain(kind);
    for (const kind of 'type press several form world burst bot clock delivery database forge file console'.split(
      ' ',
    ))
      expect(kinds).toContain(kind);
    expect(deeds(ALONE).some(({ of }) => of.startsWith('pausedInBurst'))).toBe(false);
    expect(deeds(ALONE).some(({ deed }) => deed.do === 'database')).toBe(false);
  });

  it('begins each seed with one round of each opening theme, the given one first', () => {
    const first = 'lyingLists';
    const numbers = OPENING_THEMES.map((_, index) => index + 1);
    const themes = numbers.map((number) => {
      const { steps } = planNumbered('seed', number, ALONE, first);
      return steps.map(({ of = '' }) => of.split(' ')[0]).find((of) => of !== 'traffic');
    });
    expect(themes[0]).toBe(first);
    expect(themes.toSorted()).toEqual(OPENING_THEMES.toSorted());
    expect(planNumbered('seed', 99, ALONE, first)).toEqual(planRound('seed/99', ALONE));
  });

  it('counts its steps', () => {
    const { steps } = planRound('count', TOGETHER);
    expect(stepCounts(planRound('count', TOGETHER))).toMatchObject({ steps: steps.length });
  });
});

describe('the files with rules', () => {
  const whole = (rules: string) =>
    `${rules}roles: { approver: [S0APPROVERS, S0PRODUCTION], admin: [U0ADMIN0001] }
channels: { approvals: C0AAAAAAA, patchAlerts: C0BBBBBBB, newDevices: C0CCCCCCC }\n`;

  it.each(RULE_FILES)(
    '%s is one that the product takes, half of it is none, and the checker knows it',
    (name) => {
      const text = whole(RULE_TEXTS[name]);
      expect(parseConfigurationFile(text).kind).toBe('configuration');
      expect(parseConfigurationFile(text.slice(0, text.length / 2)).kind).toBe('faults');
      expect(Object.keys(RULE_TABLE)).toContain(name);
    },
  );

  it('are about the groups whose devices the checker knows', () => {
    const seeded = Map.groupBy(seedFleet(DEVICES, instant(0)), ({ groupId }) => groupId);
    for (const { group, devices } of [KIOSKS, DATABASES, ENGINEERS, WINDOWS])
      expect(devices).toEqual(seeded.get(group)?.map(({ id }) => id));
  });
});

describe('a schedule in a file', () => {
  it.each(globSync('found/*.json', { cwd: import.meta.dirname }))('%s can be played', async (file) => {
    const schedule = await readSchedule(join(import.meta.dirname, file));
    expect(schedule.steps.length).toBeGreaterThan(0);
    expect(schedule.found).not.toEqual([]);
  });

  it('is unchanged after writing and reading it, one step per line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-schedule-'));
    const path = join(folder, 'schedule.json');
    const schedule = { ...planRound('file', TOGETHER), found: ['rule: what'] };
    const text = writeSchedule(schedule);
    await writeFile(path, text);
    expect(await readSchedule(path)).toEqual(schedule);
    expect(text.split('\n').length).toBe(schedule.steps.length + 9);
    await writeFile(path, text.replace('"do":', '"did":'));
    await expect(readSchedule(path)).rejects.toThrow();
    await rm(folder, { recursive: true });
  });
});
