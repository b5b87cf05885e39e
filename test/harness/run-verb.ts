/** The command line as a process: its output and its exit. */
import { spawn } from 'node:child_process';
import { ENTRY, SOURCE_ENTRY } from './entry.ts';

export type VerbResult = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs `patchbay.js` with these words and nothing in its environment but `env`; kills it after a minute. */
export function runVerb(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<VerbResult> {
  const entry = words[0] === 'sandbox' ? SOURCE_ENTRY : ENTRY;
  const child = spawn(process.execPath, [entry, ...words], { env: { ...env }, timeout: 60_000 });
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
