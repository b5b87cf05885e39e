/** The passed rounds of a seed, stored in a file: an interrupted run continues, and a run that passed is done. */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { TortureOptions } from './options.ts';

const schema = z.strictObject({
  /** Rounds without a finding. */
  rounds: z.int(),
  /** Milliseconds they took. */
  spent: z.number(),
  passed: z.boolean(),
  totals: z.record(z.string(), z.number()),
});
export type Progress = z.infer<typeof schema>;

export const NO_PROGRESS: Progress = { rounds: 0, spent: 0, passed: false, totals: {} };

export const FOLDER = join(tmpdir(), `patchbay-torture-${userInfo().uid}`);
const SOURCES = new URL('../../', import.meta.url).pathname;

/** One file for each seed, setting and length, and for each state of the code. */
export function progressFile({ seed, database, replicas, minutes }: TortureOptions): string {
  const name = [seed, database, replicas, minutes, codeDigest()].join('-').replaceAll(/[^\w-]/g, '_');
  return join(FOLDER, `${name}.json`);
}

export function readProgress(file: string): Progress {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return NO_PROGRESS;
  }
}

export function writeProgress(file: string, progress: Progress): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, JSON.stringify(progress));
}

/** Of the product and of the torture: a changed product has passed nothing yet. */
function codeDigest(): string {
  const digest = createHash('sha256');
  const files = globSync(['src/**/*.{ts,js}', 'test/torture/**/*.ts', 'package-lock.json'], { cwd: SOURCES });
  for (const path of files.toSorted()) digest.update(path).update(readFileSync(join(SOURCES, path)));
  return digest.digest('hex').slice(0, 12);
}
