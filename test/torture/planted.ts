/**
 * `npm run torture -- --planted`: plants each fault in a copy of the code, and plays a seed there until something is
 * found. A fault that nothing finds, or that does not match the code exactly once, fails the run.
 */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLANTED_FAULTS, type PlantedFault } from './planted-faults.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const COPIED = ['src', 'test', 'package.json', 'tsconfig.json', 'manifest.yml'];
/** Longer than all opening rounds take. */
const LONGEST_MINUTES = 8;

type Verdict = { readonly found: boolean; readonly line: string };

/** True: every fault was found. */
export async function playPlanted(
  { seed, only }: { readonly seed: string; readonly only: string },
  say: (line: string) => void,
): Promise<boolean> {
  const begun = performance.now();
  const faults = PLANTED_FAULTS.filter(({ name }) => name.includes(only));
  let missed = 0;
  for (const fault of faults) {
    const from = performance.now();
    const { found, line } = await playOne(fault, seed);
    if (!found) missed += 1;
    say(`${found ? 'found' : 'MISSED'} after ${secondsSince(from)} s: ${fault.name}: ${line}`);
  }
  say(`${faults.length - missed} of ${faults.length} faults found in ${secondsSince(begun)} s`);
  return missed === 0;
}

async function playOne(fault: PlantedFault, seed: string): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-planted-'));
  try {
    for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const file = join(folder, fault.file);
    const planted = withFault(await readFile(file, 'utf8'), fault);
    if (planted === null) return { found: false, line: 'it does not match the code exactly once' };
    await writeFile(file, planted);
    return await torture(folder, argumentsFor(fault, seed));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Null where it does not match exactly once. */
export function withFault(text: string, { search, replace }: PlantedFault): string | null {
  const parts = text.split(search);
  return parts.length === 2 ? parts.join(replace) : null;
}

function argumentsFor({ first, replicas = 1 }: PlantedFault, seed: string): readonly string[] {
  const database = replicas > 1 ? ['--database', 'postgres', '--replicas', String(replicas)] : [];
  const theme = first === undefined ? [] : ['--first', first];
  const length = ['--minutes', String(LONGEST_MINUTES), '--plays', '0', '--again'];
  return ['--seed', seed, ...length, ...database, ...theme];
}

/** The first finding of a run in this copy; a run that fails for another reason found nothing. */
function torture(folder: string, args: readonly string[]): Promise<Verdict> {
  return new Promise((resolve) => {
    const program = spawn(process.execPath, [join(folder, 'test/torture/main.ts'), ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    program.stdout.on('data', (chunk) => {
      out += chunk;
    });
    program.on('close', (code) => {
      const finding = out.split('\n').find((line) => line.startsWith('  '));
      resolve({
        found: code === 1 && finding !== undefined,
        line: finding?.trim() ?? `nothing, code ${code}`,
      });
    });
  });
}

function secondsSince(from: number): number {
  return Math.round((performance.now() - from) / 1_000);
}
