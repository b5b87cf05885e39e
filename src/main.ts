/** The command line: one file per verb. */
import { closestWord } from './lib/text.ts';

type CliVerb = (words: readonly string[]) => Promise<void>;

type Verb = {
  readonly usage: string;
  readonly what: string;
  readonly more?: string;
  readonly run: CliVerb;
};

const START = {
  usage: 'npm start',
  what: 'Runs Patchbay until you stop it.',
  more: 'Settings are environment variables. src/config/README.md explains each one.',
};
const DOCTOR = {
  usage: 'npm run doctor',
  what: 'Checks the settings, Slack, the management service and the database, and says what to fix.',
};
const CONFIG = {
  usage: 'npm run config -- check|test|schema [FILE]',
  what: 'Checks the configuration file and its tests, or prints its JSON Schema for an editor.',
  more: `FILE is the configuration file; without it, the one that PATCHBAY_CONFIG names. Nothing is asked of Slack or the service.

  check   every fault with line and column
  test    the same, and the tests that stand in the file
  schema  how the file has to look`,
};
const MANIFEST = {
  usage: 'npm run manifest',
  what: 'Writes manifest.yml, from which you create the Slack app.',
};
const BACKUP = {
  usage: 'npm run backup -- FILE',
  what: 'Copies the SQLite database, even while Patchbay is running, and checks the copy.',
  more: 'FILE is the new file. A file that already exists is never overwritten.',
};
const AUDIT = {
  usage: 'npm run audit -- verify [--file BACKUP]',
  what: 'Checks that no entry of the audit trail was changed, inserted or removed.',
  more: `It reads the database in DATABASE_URL, or with --file the backup BACKUP.

It can’t see that the whole trail was rewritten. For that, save the hash that it prints, and compare it later.`,
};
const SANDBOX = {
  usage: 'npm run sandbox [-- OPTIONS]',
  what: 'Starts a simulated Slack and management service with Patchbay on this machine.',
};

const VERBS: Readonly<Record<string, Verb>> = {
  start: { ...START, run: withoutOptions(START, async () => (await import('./start.ts')).start()) },
  doctor: {
    ...DOCTOR,
    run: withoutOptions(DOCTOR, async () => (await import('./doctor/doctor.ts')).doctor()),
  },
  config: {
    ...CONFIG,
    run: withHelp(CONFIG, async (words) => (await import('./check-configuration.ts')).runConfig(words)),
  },
  manifest: {
    ...MANIFEST,
    run: withoutOptions(MANIFEST, async () => (await import('./slack/manifest/manifest.ts')).writeManifest()),
  },
  backup: {
    ...BACKUP,
    run: withHelp(BACKUP, async (words) => (await import('./maintenance/maintenance.ts')).runBackup(words)),
  },
  audit: {
    ...AUDIT,
    run: withHelp(AUDIT, async (words) => (await import('./maintenance/maintenance.ts')).runAudit(words)),
  },
  // Its options are its own, and so is its help.
  sandbox: { ...SANDBOX, run: async (words) => (await import('./sandbox/main.ts')).runSandbox(words) },
};

/** Runs the verb that comes first. The exit code is 2 where there is no such verb. */
export async function main([verb = '', ...options]: readonly string[]): Promise<void> {
  const found = Object.entries(VERBS).find(([name]) => name === verb)?.[1];
  if (found !== undefined) return found.run(options);
  if (isHelp(verb)) {
    process.stdout.write(usageOfAll());
    return;
  }
  process.stderr.write(`${unknownVerbText(verb)}${usageOfAll()}`);
  process.exitCode = 2;
}

function usageOfAll(): string {
  const width = Math.max(...Object.values(VERBS).map(({ usage }) => usage.length));
  const lines = Object.values(VERBS).map(({ usage, what }) => `  ${usage.padEnd(width)}  ${what}\n`);
  return `Usage:\n${lines.join('')}`;
}

function unknownVerbText(verb: string): string {
  if (verb === '') return '';
  const meant = closestWord(verb, Object.keys(VERBS));
  return `${verb} is not a command${meant === null ? '.' : `; did you mean ${meant}?`}\n`;
}

/** Prints the help for `--help` and runs nothing; all other words are for `run` to read. */
function withHelp({ usage, what, more }: Omit<Verb, 'run'>, run: CliVerb): CliVerb {
  return async (words) => {
    if (!words.some(isHelp)) return run(words);
    const parts = [`Usage: ${usage}`, what, ...(more === undefined ? [] : [more])];
    process.stdout.write(`${parts.join('\n\n')}\n`);
  };
}

/** Like {@link withHelp}, and refuses all words with exit code 2. */
function withoutOptions(verb: Omit<Verb, 'run'>, run: () => Promise<void>): CliVerb {
  return withHelp(verb, async (words) => {
    if (words.length === 0) return run();
    const faults = words.map((word) => `${word}: ${verb.usage} takes no options`);
    process.stderr.write(`${faults.join('\n')}\nUsage: ${verb.usage}\n`);
    process.exitCode = 2;
  });
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}
