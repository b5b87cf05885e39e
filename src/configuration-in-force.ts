/**
 * The configuration file in force. It is read again and again and compared by its content, since a ConfigMap swaps links and
 * watchers of a file system end silently. A file with faults, or whose tests fail, changes nothing: the one before stays in
 * force, and admins are told why.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { compileRules } from './commands/rules/compile-rules.ts';
import { failedTests } from './commands/rules/rule-tests.ts';
import type { Config } from './config/config.ts';
import { type ConfigurationFile, parseConfigurationFile } from './config/configuration-file.ts';
import { readYaml } from './config/yaml.ts';
import { type Clock, type Instant, SECOND } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import type { RulesInForce } from './rules/rules.ts';
import { StartupError } from './slack/web-api/slack-web.ts';

type WholeFile = {
  readonly kind: 'whole';
  readonly configuration: ConfigurationFile;
  readonly rules: RulesInForce;
};
type Faults = { readonly kind: 'faults'; readonly faults: readonly string[] };

/** Wall time between two reads. A change has to read the same twice, because whoever writes it may be in the middle of it. */
const READ_EVERY_MS = 5 * SECOND;

type InForceOptions = {
  readonly config: Config;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly everyMs?: number;
};

/** What follows from another file. */
type Followers = {
  /** What changed, one text each. The file is in force once this resolved. */
  readonly record: (changes: readonly string[]) => Promise<void>;
  readonly judgeWaiting: () => Promise<void>;
};

/** The sections that a running Patchbay takes from a changed file; of others it keeps what it started with. */
const TAKEN: readonly string[] = ['roles', 'rules', 'otherwise', 'timezone', 'tests', 'rollouts'];

/** Throws a StartupError that names each fault of the rules and its place. */
export function createConfigurationInForce({ config, clock, log, everyMs = READ_EVERY_MS }: InForceOptions) {
  const path = config.configurationPath;
  let current = compileOrThrow(config.configuration);
  let refused: {
    readonly text: string | null;
    readonly faults: readonly string[];
    readonly since: Instant;
  } | null = null;
  let seen: string | null = current.configuration.text;
  let followers: Followers = { record: async () => undefined, judgeWaiting: async () => undefined };
  let running: Promise<readonly string[]> = Promise.resolve([]);
  let judging: Promise<void> = Promise.resolve();
  let isJudged = true;
  let timer: NodeJS.Timeout | undefined;

  const refuse = (text: string | null, faults: readonly string[]): readonly string[] => {
    refused = { text, faults, since: clock.now() };
    const words = 'the configuration file is refused; the one before stays in force';
    log.error({ event: 'configuration.refused', path, faults }, words);
    return faults;
  };
  const take = async (text: string | null): Promise<readonly string[]> => {
    if (text !== null && text === current.configuration.text) {
      refused = null;
      return [];
    }
    if (refused !== null && text === refused.text) return refused.faults;
    if (text === null) return refuse(text, [`${path} can't be read`]);
    const read = readWholeFile(text);
    if (read.kind === 'faults') return refuse(text, read.faults);
    const failed = failedTests(read.configuration.approvalRules, read.rules, clock.now());
    if (failed.length > 0) return refuse(text, failed);
    const changes = differences(current.configuration.text, text);
    await followers.record(changes);
    current = read;
    refused = null;
    log.info({ event: 'configuration.changed', path, changes }, 'the configuration file changed');
    judge();
    return [];
  };
  /** In the background: it may wait for the service, and the file is in force meanwhile. */
  const judge = (): void => {
    judging = judging.then(followers.judgeWaiting).catch((error: unknown) => {
      const words = 'what waits was not judged again by the configuration file';
      log.warn({ event: 'configuration.not-judged', err: error }, words);
      isJudged = false;
    });
  };
  const look = async (isAsked: boolean): Promise<readonly string[]> => {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (!isJudged) {
      isJudged = true;
      judge();
    }
    const isSettled = text === seen;
    seen = text;
    return isSettled || isAsked ? take(text) : [];
  };
  const lookAfter = (isAsked: boolean): Promise<readonly string[]> => {
    const next = running.then(() => look(isAsked));
    running = next.catch((error: unknown) => {
      log.warn({ event: 'configuration.not-read', err: error }, 'the configuration file is read again later');
      return [];
    });
    return next;
  };

  return {
    /** The same settings, whose sections of {@link TAKEN} are those in force whenever they are read. */
    config: {
      ...config,
      configuration: {
        ...config.configuration,
        get roles() {
          return current.configuration.roles;
        },
        get approvalRules() {
          return current.configuration.approvalRules;
        },
        get rollouts() {
          return current.configuration.rollouts;
        },
      },
    },
    rules: () => current.rules,
    /** Equal for replicas with the same file. */
    digest: () => createHash('sha256').update(current.configuration.text).digest('hex'),
    /** Why the file as it is now is not in force; null: it is. */
    refused: () => refused,
    start(others: Followers): void {
      followers = others;
      // The file may have changed while no Patchbay was running.
      judge();
      timer = setInterval(() => void lookAfter(false).catch(() => undefined), everyMs);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
      await judging;
    },
    /** Takes the file as it is now; why it is not in force, one line for each fault. */
    reload: () => lookAfter(true),
  };
}

function compileOrThrow(configuration: ConfigurationFile): WholeFile {
  const compiled = compileRules(configuration);
  if (compiled.kind === 'rules') return { kind: 'whole', configuration, rules: compiled.inForce };
  throw new StartupError(`The configuration file has faults:\n${compiled.faults.join('\n')}`);
}

/** A line for each fault, with its place. Its tests are not run. */
export function readWholeFile(text: string): WholeFile | Faults {
  const read = parseConfigurationFile(text);
  if (read.kind === 'faults') return read;
  const { configuration } = read;
  const compiled = compileRules(configuration);
  if (compiled.kind === 'faults') return compiled;
  return { kind: 'whole', configuration, rules: compiled.inForce };
}

/** Such as `rules.production.approvals: 1 → 2`, and whether it has to wait for the next start. */
function differences(before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map((text) => {
    const read = readYaml(text);
    return read.kind === 'value' ? read.value : null;
  });
  return differencesOf(old, now, []);
}

function differencesOf(before: unknown, after: unknown, path: readonly string[]): readonly string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [old, now] = [named.safeParse(before).data, named.safeParse(after).data];
  if (old !== undefined && now !== undefined)
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((key) =>
      differencesOf(old[key], now[key], [...path, key]),
    );
  const isLater = !TAKEN.includes(path[0] ?? '');
  const words = `${path.join('.')}: ${valueText(before)} → ${valueText(after)}`;
  return [isLater ? `${words} (at the next start)` : words];
}

/** By key, and rules by their names. */
const named = z.union([
  z
    .array(z.looseObject({ name: z.string() }))
    .transform((items) => Object.fromEntries(items.map((item) => [item.name, item]))),
  z.record(z.string(), z.unknown()),
]);

function valueText(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
