/** The command line as a process: its output and its exit. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../../src/patchbay.js', import.meta.url));

export type VerbResult = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs `patchbay.js` with these words and nothing in its environment but `env`; kills it after a minute. */
export function runVerb(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<VerbResult> {
  const child = spawn(process.execPath, [ENTRY, ...words], { env: { ...env }, timeout: 60_000 });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    err += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}
