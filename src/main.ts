/** The command line: reads the verb, calls one file per verb. */
import { nearWord } from './near-word.ts';
import { isHelp, type Verb, withoutOptions, withWords } from './verb.ts';

const VERBS = {
  start: withoutOptions('npm start', 'Runs Patchbay until you stop it.', async () =>
    (await import('./start.ts')).start(),
  ),
  doctor: withoutOptions(
    'npm run doctor',
    'Checks the settings, Slack, the management service and the database, and says what to fix.',
    async () => (await import('./doctor/doctor.ts')).doctor(),
  ),
  manifest: withoutOptions(
    'npm run manifest',
    'Writes manifest.yml, which creates the Slack app.',
    async () => (await import('./slack/write-manifest.ts')).writeManifest(),
  ),
  backup: withWords(
    'npm run backup -- FILE',
    'Copies the SQLite database while Patchbay runs, and checks the copy.',
    async (words) => (await import('./maintenance/backup.ts')).backup(words),
  ),
  audit: withWords(
    'npm run audit -- verify [--file BACKUP]',
    'Checks that no entry of the audit trail was changed, added or removed.',
    async (words) => (await import('./maintenance/audit.ts')).audit(words),
  ),
  sandbox: async (options: readonly string[]) => (await import('./sandbox/main.ts')).runSandbox(options),
} as const satisfies Readonly<Record<string, Verb>>;

const USAGE =
  'Usage: npm start | npm run doctor | npm run manifest | npm run backup -- FILE | ' +
  'npm run audit -- verify [--file BACKUP] | npm run sandbox [-- options]\n';

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
  const meant = nearWord(verb, Object.keys(VERBS));
  return `${verb} is not a command${meant === null ? '.' : `; did you mean ${meant}?`}\n`;
}
