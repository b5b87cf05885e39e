/** Environment and configuration file, read once into a frozen {@link Config}: the only reader of `process.env`. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DIALECT_NAMES } from '../fleet/dialect.ts';
import { organizationId } from '../lib/ids.ts';
import { type Secret, secret } from '../lib/log.ts';
import { isProxyAddress, type ProxySettings, proxySecrets } from '../lib/proxy.ts';
import { ROOT_COMMAND, ROOT_COMMAND_FORMAT } from '../lib/slash-commands.ts';
import { closestWord } from '../lib/text.ts';
import { type ConfigurationFile, parseConfigurationFile } from './configuration-file.ts';

export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: Secret };

type SlackTransport =
  | { readonly kind: 'socket'; readonly appToken: Secret }
  | { readonly kind: 'http'; readonly signingSecret: Secret };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

type ConfigRead =
  | { readonly kind: 'config'; readonly config: Config }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

/** Spaces and line breaks around a value come with copying, and belong to none. */
const required = (what: string) => z.string({ error: `is missing: ${what}` }).trim();
/** A password in an address would be shown with it, in logs and messages. */
const url = (what: string) =>
  required(what)
    .pipe(z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }))
    .refine(hasNoCredentials, { error: 'must not contain a user or a password' });
/** A line break in one ends the program where it is sent; anything but ASCII cannot be sent at all. */
const token = (prefix: string, what = '') =>
  required(what)
    .startsWith(prefix, { error: `must start with ${prefix}` })
    .regex(/^[\w-]*$/, { error: 'must contain only letters, digits, - and _' })
    .transform(secret);

const consoleUrl = url('').refine((text) => text.split('{id}').length === 2, {
  error: 'must contain {id} exactly once, in place of the device number',
});

/** The error quotes no part of the address: it may hold a password. */
const proxyUrl = z
  .string()
  .refine(isProxyAddress, {
    error: 'must be an http:// or https:// URL, such as http://proxy.example.com:3128',
  })
  .transform(secret);

/** Lower case wins, as in every other program that reads these. */
const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** The settings as text. `src/config/README.md` describes each of them. */
const environment = z.object({
  FLEET_BASE_URL: url("the base URL of the management service's API").transform((text) =>
    text.replace(/\/+$/, ''),
  ),
  FLEET_API_KEY: required('the API key of the management service')
    .regex(/^[!-~]+$/, { error: 'must be one line of ASCII characters without spaces' })
    .transform(secret),
  FLEET_ORGANIZATION: required('the number of your organization in the management service')
    .regex(/^[1-9]\d{0,14}$/, { error: 'must be a positive whole number' })
    .transform((text) => organizationId(Number(text))),
  FLEET_DIALECT: z
    .enum(DIALECT_NAMES, { error: `must be one of ${DIALECT_NAMES.join(', ')}` })
    .default('live'),
  FLEET_CONSOLE_URL: consoleUrl.optional(),
  SLACK_BOT_TOKEN: token('xoxb-', 'the bot token, which starts with xoxb-'),
  SLACK_APP_TOKEN: token('xapp-').optional(),
  SLACK_SIGNING_SECRET: required('')
    .regex(/^[0-9a-f]{32}$/i, { error: 'must be 32 hexadecimal digits' })
    .transform(secret)
    .optional(),
  SLACK_API_URL: url('')
    .transform((text) => `${text.replace(/\/+$/, '')}/`)
    .default('https://slack.com/api/'),
  SLACK_COMMAND: z
    .string()
    .regex(ROOT_COMMAND_FORMAT, {
      error: 'must be a slash and at most 22 lowercase letters, digits, - and _',
    })
    .default(ROOT_COMMAND),
  ALLOW_HTTP: z.literal('yes', { error: 'must be yes, or absent' }).optional(),
  HTTP_PROXY: proxyUrl.optional(),
  HTTPS_PROXY: proxyUrl.optional(),
  NO_PROXY: z.string().default(''),
  DATABASE_URL: z.string().default('sqlite:patchbay.sqlite').transform(readDatabase),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, { error: 'must be a port number from 0 to 65535' })
    .transform(Number)
    .refine((port) => port <= 65_535, { error: 'must be a port number from 0 to 65535' })
    .default(3000),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  PATCHBAY_CONFIG: required('the path of the configuration file').transform((path, context) => ({
    path,
    configuration: readConfigurationFile(path, context),
  })),
});
export const ENVIRONMENT_VARIABLES = Object.keys(environment.shape);

/**
 * Reads all settings and the configuration file. Returns all faults at once, one line each, without values of
 * secrets.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): ConfigRead {
  const values = Object.fromEntries(ENVIRONMENT_VARIABLES.map((name) => [name, environmentValue(env, name)]));
  const read = environment.safeParse(values, { error: () => 'has a value that is not supported' });
  const transport = readTransport(values['SLACK_APP_TOKEN'], values['SLACK_SIGNING_SECRET']);
  const faults = read.success
    ? []
    : read.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if (transport !== null) faults.push(transport);
  if (values['ALLOW_HTTP'] === undefined)
    for (const name of SENT_TO)
      if (isPlainAddress(values[name] ?? ''))
        faults.push(
          `${name} must be https://, since a key is sent with every request. ALLOW_HTTP=yes allows http:// nevertheless`,
        );
  if (!read.success || faults.length > 0) return { kind: 'faults', faults };
  return { kind: 'config', config: Object.freeze(toConfig(read.data)) };
}

/** The addresses that keys are sent to. */
const SENT_TO = ['FLEET_BASE_URL', 'SLACK_API_URL'];

/** Whether requests to this URL cross a network unencrypted. */
export function isPlainAddress(text: string): boolean {
  const { protocol, hostname } = URL.parse(text) ?? { protocol: '', hostname: '' };
  return protocol === 'http:' && !/^(127(\.\d+){3}|localhost|\[::1\])$/.test(hostname);
}

function hasNoCredentials(text: string): boolean {
  const address = URL.parse(text);
  return address === null || `${address.username}${address.password}` === '';
}

function environmentValue(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const names = PROXY_NAMES.includes(name) ? [name.toLowerCase(), name] : [name];
  return names.map((one) => env[one]).find((text) => text !== undefined && text !== '');
}

/** Environment variables that look like settings but are not. */
export function readMistypedVariables(env: NodeJS.ProcessEnv = process.env): readonly MistypedVariable[] {
  return findMistypedVariables(Object.keys(env), ENVIRONMENT_VARIABLES);
}

/**
 * Reads the root command alone, for the manifest, which is made before other settings exist. Throws when it is
 * invalid.
 */
export function readCommandName(env: NodeJS.ProcessEnv = process.env): string {
  return valueOrThrow(readAlone('SLACK_COMMAND', environment.shape.SLACK_COMMAND, env));
}

/** Reads the database setting alone, for commands that need nothing else. */
export function readDatabaseVariable(): ReadAlone<Database> {
  return readAlone('DATABASE_URL', environment.shape.DATABASE_URL);
}

/** The path of the configuration file alone; null: none is set. */
export function configurationPath(): string | null {
  return environmentValue(process.env, 'PATCHBAY_CONFIG')?.trim() ?? null;
}

/** The host of the console's links, for the manifest; null when none is set. Throws when the address is invalid. */
export function readConsoleHost(): string | null {
  const address = valueOrThrow(readAlone('FLEET_CONSOLE_URL', environment.shape.FLEET_CONSOLE_URL));
  return address === undefined ? null : new URL(address).hostname;
}

type ReadAlone<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'fault'; readonly fault: string };

function readAlone<T>(name: string, schema: z.ZodType<T>, env = process.env): ReadAlone<T> {
  const read = schema.safeParse(env[name] === '' ? undefined : env[name]);
  return read.success
    ? { kind: 'value', value: read.data }
    : { kind: 'fault', fault: `${name} ${read.error.issues[0]?.message}` };
}

function valueOrThrow<T>(read: ReadAlone<T>): T {
  if (read.kind === 'fault') throw new Error(read.fault);
  return read.value;
}

/** The secret of the transport, which no holder of the bot token needs. */
export function transportSecret({ transport }: Config['slack']): Secret {
  return transport.kind === 'socket' ? transport.appToken : transport.signingSecret;
}

/** Every secret in the settings, so that the log can blank it. */
export function secretsOf({ fleet, slack, database }: Config): readonly Secret[] {
  const url = database.kind === 'postgres' ? [database.url] : [];
  return [fleet.apiKey, slack.botToken, transportSecret(slack), ...url, ...proxySecrets(slack.proxy)];
}

type Parts = ReturnType<typeof toConfig>;
export type Config = { readonly [Part in keyof Parts]: Readonly<Parts[Part]> };

function toConfig(settings: z.output<typeof environment>) {
  const proxy = proxyFrom(settings);
  return {
    fleet: {
      /** Without a trailing slash. */
      baseUrl: settings.FLEET_BASE_URL,
      apiKey: settings.FLEET_API_KEY,
      organizationId: settings.FLEET_ORGANIZATION,
      dialect: settings.FLEET_DIALECT,
      /** Address of a device in the service's console, with `{id}` in place of its number; null: links are left alone. */
      consoleUrl: settings.FLEET_CONSOLE_URL ?? null,
      proxy,
    },
    slack: {
      botToken: settings.SLACK_BOT_TOKEN,
      transport: chooseTransport(settings.SLACK_APP_TOKEN, settings.SLACK_SIGNING_SECRET),
      /** With a trailing slash. */
      apiUrl: settings.SLACK_API_URL,
      /** The root slash command, including its slash. */
      command: settings.SLACK_COMMAND,
      proxy,
    },
    database: settings.DATABASE_URL,
    host: settings.HOST,
    port: settings.PORT,
    logLevel: settings.LOG_LEVEL,
    ...{
      configurationPath: settings.PATCHBAY_CONFIG.path,
      configuration: settings.PATCHBAY_CONFIG.configuration,
    },
  };
}

function proxyFrom({
  HTTP_PROXY,
  HTTPS_PROXY,
  NO_PROXY,
}: z.output<typeof environment>): ProxySettings | null {
  if (HTTP_PROXY === undefined && HTTPS_PROXY === undefined) return null;
  return { http: HTTP_PROXY ?? null, https: HTTPS_PROXY ?? null, except: NO_PROXY };
}

function readTransport(appToken: string | undefined, signingSecret: string | undefined): string | null {
  if (appToken === undefined && signingSecret === undefined) {
    return 'SLACK_APP_TOKEN is missing: set it for Socket Mode, or SLACK_SIGNING_SECRET for HTTP';
  }
  if (appToken !== undefined && signingSecret !== undefined) {
    return 'SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: keep the first for Socket Mode, or the second for HTTP';
  }
  return null;
}

function chooseTransport(appToken: Secret | undefined, signingSecret: Secret | undefined): SlackTransport {
  if (appToken !== undefined) return { kind: 'socket', appToken };
  if (signingSecret !== undefined) return { kind: 'http', signingSecret };
  throw new Error('a configuration without a Slack transport passed its checks');
}

function readDatabase(text: string, context: z.RefinementCtx): Database {
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length) {
    return { kind: 'sqlite', path: text.slice('sqlite:'.length) };
  }
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', url: secret(text) };
  context.addIssue({ code: 'custom', message: 'must be sqlite:PATH or postgres://…' });
  return z.NEVER;
}

function readConfigurationFile(path: string, context: z.RefinementCtx): ConfigurationFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    context.addIssue({ code: 'custom', message: `points to a file that can't be read: ${path}` });
    return z.NEVER;
  }
  const read = parseConfigurationFile(text);
  if (read.kind === 'configuration') return read.configuration;
  for (const fault of read.faults) context.addIssue({ code: 'custom', message: `(${path}): ${fault}` });
  return z.NEVER;
}

/**
 * Environment variables that were surely meant as settings: nothing reads them, so they would have no effect and
 * nobody would notice.
 */
export type MistypedVariable = {
  readonly name: string;
  /** The setting that was probably meant; null when none is close. */
  readonly meant: string | null;
};

/** Names with these prefixes are ours, or were meant to be. */
const OUR_PREFIX = /^(FLEET|SLACK|PATCHBAY)_/;
/** Shorter names, such as HOST, are close to too many names of other programs. */
const MIN_NAME_LENGTH = 6;
/** Names that differ by one letter and are used by every program. */
const COMMON = /_PROXY$/;

/** The names that are not among `settings` and look like one. Only names are read, never values. */
function findMistypedVariables(
  names: readonly string[],
  settings: readonly string[],
): readonly MistypedVariable[] {
  const long = settings.filter((setting) => setting.length >= MIN_NAME_LENGTH);
  return names
    .filter((name) => !settings.includes(name) && !COMMON.test(name.toUpperCase()))
    .map((name) => ({ name, meant: closestWord(name.toUpperCase(), long) }))
    .filter(({ name, meant }) => meant !== null || OUR_PREFIX.test(name.toUpperCase()));
}

/** One plain line. */
export function mistypedVariableText({ name, meant }: MistypedVariable): string {
  return meant === null
    ? `${name} is not a setting and has no effect`
    : `${name} is not a setting; did you mean ${meant}?`;
}

/**
 * What stands in the way of a start: one line for each of `faults` (missing or wrong settings) and each mistyped variable,
 * then where settings come from. With a line break at its end.
 */
export function settingsFaultText(faults: readonly string[], mistyped: readonly MistypedVariable[]): string {
  return [...faults, ...mistyped.map(mistypedVariableText), WHERE_TO_SET, ''].join('\n');
}
const WHERE_TO_SET = 'Settings are environment variables. src/config/README.md explains each one.';
