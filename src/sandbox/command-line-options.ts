/** The options of `npm run sandbox`. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { closestWord } from '../lib/text.ts';

const number = (text: string, low: number, high: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, { error: text })
    .transform(Number)
    .refine((value) => value >= low && value <= high, { error: text });

const schema = z
  .strictObject({
    port: number('must be a port number from 0 to 65535 (0 picks a free one)', 0, 65_535).default(3000),
    devices: number('must be a number from 20 to 100000', 20, 100_000).exactOptional(),
    profile: z.enum(['documented', 'live'], { error: 'must be live or documented' }).default('live'),
    transport: z.enum(['socket', 'http'], { error: 'must be socket or http' }).default('socket'),
    only: z.enum(['management'], { error: 'must be management' }).exactOptional(),
    'rate-limits': z.literal(true, { error: 'takes no value' }).exactOptional(),
  })
  .transform(({ 'rate-limits': rateLimits = false, ...others }) => ({ ...others, rateLimits }));

export type CommandLineOptions = z.output<typeof schema>;
type ParsedCommandLine =
  | { readonly kind: 'options'; readonly options: CommandLineOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

const FLAGS = {
  port: { type: 'string' },
  devices: { type: 'string' },
  profile: { type: 'string' },
  transport: { type: 'string' },
  only: { type: 'string' },
  'rate-limits': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const USAGE =
  'npm run sandbox -- [--port N] [--devices N] [--profile documented|live] [--transport socket|http] [--only management] [--rate-limits]';

export const HELP = `Usage: ${USAGE}

Starts a simulated Slack and a simulated management service with Patchbay on this machine.
It reaches no real Slack and no real service.
Warning: if DATABASE_URL is set, the sandbox uses that database. Resetting the sandbox (the button
“Reset the sandbox” on its page, or POST /sandbox/reset) deletes everything in it: the SQLite file, or
all tables in PostgreSQL’s schema public. Don’t point it at a database that you need.

  --port N            port on 127.0.0.1 (default 3000; 0 picks a free one)
  --devices N         number of simulated devices, 20 to 100000 (default 240)
  --profile NAME      live: the service answers as the real one was seen to (default)
                      documented: it answers exactly as the API documentation says
  --transport NAME    how Slack reaches the bot: socket (default) or http
  --only management   start only the simulated management service, for other clients
  --rate-limits       reject requests that exceed the rate limits`;

type Token = { readonly kind: string; readonly name?: string; readonly rawName?: string };

function isUnknown(token: Token | undefined): boolean {
  return token?.kind === 'option' && !(String(token.name) in FLAGS);
}

function unknownOption({ name = '', rawName = name }: Token): string {
  const nearest = closestWord(name, Object.keys(FLAGS));
  return nearest === null
    ? `Unknown option ${rawName}.`
    : `Unknown option ${rawName}. Did you mean --${nearest}?`;
}

/** Reads the command line; all errors come back at once, one line each. A request for help comes first. */
export function parseCommandLine(args: readonly string[]): ParsedCommandLine {
  const { values, tokens } = parseArgs({ args: [...args], options: FLAGS, strict: false, tokens: true });
  const faults = tokens.flatMap((token, at) => {
    if (token.kind === 'option' && !(token.name in FLAGS)) return [unknownOption(token)];
    // The word after an unknown option was probably its value.
    return token.kind === 'positional' && !isUnknown(tokens[at - 1])
      ? [`Unexpected argument ${token.value}. Options start with --.`]
      : [];
  });
  if (values['help'] !== undefined) return { kind: 'help' };
  if (values['only'] === 'management' && values['transport'] !== undefined)
    faults.push('--transport doesn’t apply with --only management: there’s no Slack workspace');
  const known = Object.fromEntries(
    Object.entries(values).filter(([name]) => name in FLAGS && name !== 'help'),
  );
  const read = schema.safeParse(known, {
    error: (issue) => (issue.code === 'invalid_type' ? 'needs a value' : undefined),
  });
  if (!read.success) {
    faults.push(...read.error.issues.map((issue) => `--${issue.path.join('.')} ${issue.message}`));
  }
  return read.success && faults.length === 0
    ? { kind: 'options', options: read.data }
    : { kind: 'faults', faults };
}
