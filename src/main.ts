/** The command line: one file per verb. */
import { closestWord } from './lib/text.ts';

const VERBS = {
  start: verbWithoutOptions('npm start', 'Runs Patchbay until you stop it.', async () =>
    (await import('./start.ts')).start(),
  ),
  doctor: verbWithoutOptions(
    'npm run doctor',
    'Checks the settings, Slack, the management service and the database, and says what to fix.',
    async () => (await import('./doctor/doctor.ts')).doctor(),
  ),
  manifest: verbWithoutOptions(
    'npm run manifest',
    'Writes manifest.yml, which creates the Slack app.',
    async () => (await import('./slack/manifest/write-manifest.ts')).writeManifest(),
  ),
  backup: verbWithArguments(
    'npm run backup -- FILE',
    'Copies the SQLite database while Patchbay runs, and checks the copy.',
    async (words) => (await import('./maintenance/backup.ts')).runBackup(words),
  ),
  audit: verbWithArguments(
    'npm run audit -- verify [--file BACKUP]',
    'Checks that no entry of the audit trail was changed, added or removed.',
    async (words) => (await import('./maintenance/audit.ts')).runAudit(words),
  ),
  sandbox: async (options: readonly string[]) => (await import('./sandbox/main.ts')).runSandbox(options),
} as const satisfies Readonly<Record<string, CliVerb>>;

const USAGE =
  'Usage: npm start | npm run doctor | npm run manifest | npm run backup -- FILE | ' +
  'npm run audit -- verify [--file BACKUP] | npm run sandbox [-- options]\n';

/** Runs the verb with its options; prints the usage for an unknown one (exit code 2). */
export async function main([verb = '', ...options]: readonly string[]): Promise<void> {
  const run = Object.entries(VERBS).find(([name]) => name === verb)?.[1];
  if (run !== undefined) return run(options);
  if (isHelp(verb)) {
    process.stdout.write(USAGE);
    return;
  }
  process.stderr.write(`${unknownText(verb)}${USAGE}`);
  process.exitCode = 2;
}

function unknownText(verb: string): string {
  if (verb === '') return '';
  const meant = closestWord(verb, Object.keys(VERBS));
  return `${verb} is not a command${meant === null ? '.' : `; did you mean ${meant}?`}\n`;
}

/** A verb of the command line: `--help` after it runs nothing. */
export type CliVerb = (words: readonly string[]) => Promise<void>;

/** Prints the usage for `--help`; passes all other words to `run`. */
export function verbWithArguments(usage: string, what: string, run: CliVerb): CliVerb {
  return async (args) => {
    if (!args.some(isHelp)) return run(args);
    process.stdout.write(`Usage: ${usage}\n\n${what}\n`);
  };
}

/** Prints the usage for `--help` (exit code 0) and for any other word (exit code 2); otherwise calls `run`. */
export function verbWithoutOptions(usage: string, what: string, run: () => Promise<void>): CliVerb {
  return verbWithArguments(usage, what, async (words) => {
    if (words.length === 0) return run();
    const faults = words.map((word) => `${word}: ${usage} takes no options`);
    process.stderr.write(`${faults.join('\n')}\nUsage: ${usage}\n`);
    process.exitCode = 2;
  });
}

/** Whether the word asks for help. */
export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}
