/** `npm run torture`: see README.md beside this file. Exit code 1 when something was found, 2 for wrong options. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_RUNS } from '../harness/runs.ts';
import type { Violation } from './checker/evidence.ts';
import { parseTortureOptions, settingOf, type TortureOptions, USAGE } from './options.ts';
import { playPlanted } from './planted.ts';
import { FOLDER, NO_PROGRESS, progressFile, readProgress, writeProgress } from './progress.ts';
import { playRound } from './run/round.ts';
import { type FailedRound, soak } from './run/soak.ts';
import { createTortureStages, type TortureStages } from './run/torture-stage.ts';
import { readSchedule, type Schedule, writeSchedule } from './schedule.ts';
import { shrink } from './shrink.ts';

/** Findings that are listed in a schedule's file. */
const MOST_KEPT = 3;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(options: TortureOptions): Promise<boolean> {
  if (options.planted) return playPlanted(options, say);
  if (options.all) return playAll();
  return options.schedule === undefined ? seeds(options) : playFile(options, options.schedule);
}

/** The test files that try less in the suite than they can. */
function playAll(): boolean {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .filter((file) => readFileSync(file, 'utf8').includes('harness/runs.ts'));
  const vitest = [
    'test/run.js',
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'test/vitest.config.ts',
  ];
  const env = { ...process.env, [ALL_RUNS]: '1' };
  return spawnSync(process.execPath, [...vitest, ...files], { stdio: 'inherit', env }).status === 0;
}

/** True: nothing was found. */
async function seeds(options: TortureOptions): Promise<boolean> {
  const { seed, minutes } = options;
  const setting = settingOf(options);
  const file = progressFile(options);
  const from = options.again ? NO_PROGRESS : readProgress(file);
  say(`seed ${seed}, ${minutes} minutes, ${setting.database}, replicas ${setting.replicas}`);
  if (from.passed) {
    say(`passed before, on this code: ${from.rounds} rounds; --again plays them again`);
    return true;
  }
  return withStages(setting, async (stages) => {
    const { progress, failed } = await soak(stages, {
      ...{ seed, setting, minutes, from, say },
      keepGoing: options['keep-going'],
      first: options.first,
      onProgress: (now) => writeProgress(file, now),
    });
    if (failed.length === 0) writeProgress(file, progress);
    const counted = Object.entries(progress.totals).map(([name, number]) => `${name} ${number}`);
    say(`seed ${seed}: rounds ${progress.rounds}, ${counted.join(', ')}`);
    const [first] = failed;
    if (first !== undefined && !options['keep-going'] && options.plays > 0)
      await shorten(stages, first, options);
    return failed.length === 0;
  });
}

async function playFile({ times }: TortureOptions, path: string): Promise<boolean> {
  const schedule = await readSchedule(path);
  return withStages(schedule, async (stages) => {
    let failures = 0;
    for (let play = 1; play <= times; play += 1) {
      const { findings } = await playRound(stages, schedule);
      if (findings.length > 0) failures += 1;
      for (const finding of findings) say(`  ${lineOf(finding)}`);
    }
    say(`${path}: ${schedule.steps.length} steps, ${failures} of ${times} plays failed`);
    return failures === 0;
  });
}

/** Plays shorter and shorter forms of a failing schedule, and writes the shortest that fails each time. */
async function shorten(
  stages: TortureStages,
  { schedule, findings }: FailedRound,
  options: TortureOptions,
): Promise<void> {
  const broken = new Set(findings.map(({ rule }) => rule));
  let last: readonly Violation[] = findings;
  say('shortening what failed');
  const fails = async (candidate: Schedule): Promise<boolean> => {
    const round = await playRound(stages, candidate);
    const same = round.findings.filter(({ rule }) => broken.has(rule));
    if (same.length > 0) last = same;
    return same.length > 0;
  };
  const shrunk = await shrink(schedule, {
    fails,
    mostPlays: options.plays,
    onProgress: (what) => say(`  ${what}`),
  });
  const folder = options.out ?? FOLDER;
  mkdirSync(folder, { recursive: true });
  const path = join(
    folder,
    `found-${schedule.seed.replaceAll(/\W/g, '-')}-${schedule.database}-${schedule.replicas}.json`,
  );
  writeFileSync(path, writeSchedule({ ...shrunk.schedule, found: last.slice(0, MOST_KEPT).map(lineOf) }));
  say(`${shrunk.schedule.steps.length} steps fail ${shrunk.failed} times of ${shrunk.of}: ${path}`);
}

const lineOf = ({ rule, what }: Violation): string => `${rule}: ${what}`;

async function withStages(
  setting: Parameters<typeof createTortureStages>[0],
  job: (stages: TortureStages) => Promise<boolean>,
) {
  const stages = await createTortureStages(setting);
  try {
    return await job(stages);
  } finally {
    await stages.stop();
  }
}

if (process.argv.includes('--help')) {
  say(USAGE);
} else {
  let options: TortureOptions | null = null;
  try {
    options = parseTortureOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exitCode = 2;
  }
  if (options !== null) process.exit((await main(options)) ? 0 : 1);
}
