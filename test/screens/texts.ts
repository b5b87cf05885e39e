/** Output of the command line, as text files. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';
import { settingsOf } from '../harness/product-settings.ts';
import { runVerb } from '../harness/run-verb.ts';

type Env = Readonly<Record<string, string>>;
type Text = { readonly name: string; readonly words: readonly string[]; readonly env: (good: Env) => Env };

/** Replaced by the folder of the database in a command. */
const HOME = 'HOME';

const nothing = (): Env => ({});
const good = (env: Env): Env => env;

const TEXTS: readonly Text[] = [
  { name: 'doctor', words: ['doctor'], env: good },
  { name: 'doctor-wrong-key', words: ['doctor'], env: (env) => ({ ...env, FLEET_API_KEY: 'wrong' }) },
  {
    name: 'doctor-wrong-token',
    words: ['doctor'],
    env: (env) => ({ ...env, SLACK_BOT_TOKEN: 'xoxb-wrong' }),
  },
  {
    name: 'doctor-unreachable',
    words: ['doctor'],
    env: (env) => ({ ...env, FLEET_BASE_URL: 'http://127.0.0.1:9' }),
  },
  {
    name: 'start-misspelled-setting',
    words: ['start'],
    env: ({ FLEET_API_KEY: key = '', ...env }) => ({ ...env, FLEET_API_KYE: key }),
  },
  { name: 'start-without-settings', words: ['start'], env: nothing },
  { name: 'start-help', words: ['start', '--help'], env: nothing },
  { name: 'doctor-help', words: ['doctor', '--help'], env: nothing },
  { name: 'backup-help', words: ['backup', '--help'], env: nothing },
  { name: 'audit-help', words: ['audit', '--help'], env: nothing },
  { name: 'audit-verify', words: ['audit', 'verify'], env: good },
  { name: 'backup', words: ['backup', `${HOME}/copy.sqlite`], env: good },
  { name: 'backup-again', words: ['backup', `${HOME}/copy.sqlite`], env: good },
  { name: 'sandbox-help', words: ['sandbox', '--help'], env: nothing },
  { name: 'sandbox-wrong', words: ['sandbox', '--prot', '1', '--devices', 'x'], env: nothing },
  { name: 'unknown-verb', words: ['strat'], env: nothing },
];

/** How a person calls the verb. */
function typedLine([verb = '', ...options]: readonly string[]): string {
  const called = verb === 'start' ? 'npm start' : `npm run ${verb}`;
  return options.length === 0 ? called : `${called} -- ${options.join(' ')}`;
}

/** What the texts call the folder of the settings and the database, which has another name in each run. */
const SHOWN_FOLDER = '/var/lib/patchbay';

/**
 * Writes `NAME.txt` for each to `folder`; returns their names. `home` holds the sandbox's database, `patchbay.sqlite`.
 */
export async function writeTexts(
  people: SandboxPeople,
  home: string,
  folder: string,
): Promise<readonly string[]> {
  // Gives the audit trail some entries.
  await people.runs('operator', 'scan web-02');
  const settings = await settingsOf(people, home);
  for (const { name, words, env } of TEXTS) {
    const line = words.map((word) => word.replace(HOME, home));
    const { code, out, err } = await runVerb(line, env(settings));
    const parts = [`$ ${typedLine(line)}`, out.trimEnd(), err.trimEnd(), `(exit code ${code})`];
    const text = parts.filter((part) => part !== '').join('\n');
    writeFileSync(join(folder, `${name}.txt`), `${text.replaceAll(home, SHOWN_FOLDER)}\n`);
  }
  return TEXTS.map(({ name }) => `${name}.txt`);
}
