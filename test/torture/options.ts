/** The options of `npm run torture`. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { TortureSetting } from './plan/fault-themes.ts';
import { OPENING_THEMES } from './plan/plan-round.ts';

export const USAGE = `Usage: npm run torture -- --minutes N --seed S [--database sqlite|postgres] [--replicas N]

  --minutes N          how long new rounds begin (2 unless said)
  --seed S             makes every choice (1 unless said); the same seed plays the same rounds
  --database WHICH     sqlite (unless said) or postgres, a server of its own
  --replicas N         processes of the bot, 1 to 4; more than one needs postgres
  --again              plays a seed that has passed on this code before
  --keep-going         goes on after a finding, and shortens nothing
  --plays N            how often a finding may be played to shorten it (60 unless said; 0: not at all)
  --first THEME        the theme of its first round, or a part of several names: ${OPENING_THEMES.join(' ')}
  --planted            plants one fault after the other in copies of the code, and expects each to be found
  --only WORDS         of them those whose names contain these words
  --all                instead: every schedule that once found something, and each property as often as it can be tried
  --schedule FILE      plays this schedule instead, once or --times N
  --out FOLDER         where shortened schedules are written (the folder of the progress unless said)`;

const whole = (low: number, high: number) => z.coerce.number().int().min(low).max(high);

const schema = z
  .strictObject({
    minutes: z.coerce
      .number()
      .positive()
      .max(24 * 60)
      .default(2),
    seed: z.string().min(1).default('1'),
    database: z.enum(['sqlite', 'postgres']).default('sqlite'),
    replicas: whole(1, 4).default(1),
    again: z.boolean().default(false),
    'keep-going': z.boolean().default(false),
    plays: whole(0, 1_000).default(60),
    first: z
      .string()
      .refine((part) => OPENING_THEMES.some((name) => name.includes(part)), { error: 'is no theme' })
      .exactOptional(),
    planted: z.boolean().default(false),
    all: z.boolean().default(false),
    only: z.string().default(''),
    schedule: z.string().exactOptional(),
    times: whole(1, 100).default(1),
    out: z.string().exactOptional(),
  })
  .refine(({ replicas, database }) => replicas === 1 || database === 'postgres', {
    error: 'several replicas need --database postgres',
  });

export type TortureOptions = z.output<typeof schema>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Throws with what is wrong. */
export function parseTortureOptions(args: readonly string[]): TortureOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: text,
      seed: text,
      database: text,
      replicas: text,
      again: flag,
      'keep-going': flag,
      plays: text,
      first: text,
      planted: flag,
      all: flag,
      only: text,
      schedule: text,
      times: text,
      out: text,
    },
  });
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`);
  throw new Error(faults.join('\n'));
}

export function settingOf({ database, replicas }: TortureSetting): TortureSetting {
  return { database, replicas };
}
