/**
 * The configuration file: who may do what, and which channels are used. zod checks it, and each fault names its
 * place.
 */
import {
  type Document,
  type ErrorCode,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { z } from 'zod';
import { ROLES } from '../lib/access.ts';
import { HOUR, MINUTE } from '../lib/clock.ts';
import { channelId, personId, userGroupId } from '../lib/ids.ts';
import type { Unchanging } from '../lib/record-fields.ts';
import { DEFAULT_ROLLOUT_LIMITS, type RolloutLimits } from '../lib/rollout-limits.ts';
import { closestWord } from '../lib/text.ts';

const MEMBER = 'must be a Slack user id (U… or W…) or user group id (S…), not a name';
const member = z.string({ error: MEMBER }).regex(/^[UWS][A-Z0-9]{2,}$/, { error: MEMBER });
const members = z
  .array(member, { error: 'must be a list of ids, such as [U0123456789]' })
  .default([])
  .transform((ids) => ({
    people: ids.filter((id) => !id.startsWith('S')).map(personId),
    userGroups: ids.filter((id) => id.startsWith('S')).map(userGroupId),
  }));
const CHANNEL = 'must be a channel id (C… or G…), not a name';
const channel = z
  .string({ error: missingOrWrong('is missing: a channel id, such as C0123456789', CHANNEL) })
  .regex(/^[CG][A-Z0-9]{2,}$/, { error: CHANNEL })
  .transform(channelId);

/** A missing value gets another message than a wrong one. */
function missingOrWrong(missing: string, wrong: string) {
  return ({ input }: { readonly input?: unknown }): string =>
    input === undefined || input === null ? missing : wrong;
}

const AGE = /^([1-9]\d{0,4}) ?(m|h)$/;
/** In milliseconds, written as `15m` or `1h`; up to so many hours. */
function maxAge(hours: number, example: string) {
  const fault = { error: `must be a duration from 1m to ${hours}h, such as ${example}` };
  return z
    .string(fault)
    .transform((text) => {
      const [, count, unit] = AGE.exec(text.trim()) ?? [];
      return Number(count) * (unit === 'h' ? HOUR : MINUTE);
    })
    .refine((ms) => ms >= MINUTE && ms <= hours * HOUR, fault);
}
const changes = z.strictObject(
  { maxAge: maxAge(24, '15m').prefault('15m') },
  { error: 'must contain maxAge, such as `maxAge: 15m`' },
);

/** As many as fleets of the service have. */
const MOST = 1_000_000;
const COUNT = { error: `must be a whole number from 1 to ${MOST}` };
const count = z.int(COUNT).min(1, COUNT).max(MOST, COUNT);
/** A held rollout ends after as long, too. */
const MAX_APPROVAL_HOURS = 7 * 24;
/** As many as one read of the store gives. */
const MOST_WAITING = { error: 'must be a whole number from 1 to 500' };
const waiting = z.int(MOST_WAITING).min(1, MOST_WAITING).max(500, MOST_WAITING);
const rollouts = z.strictObject(
  {
    reasonFrom: count.default(DEFAULT_ROLLOUT_LIMITS.reasonFrom),
    maxDevices: count.default(DEFAULT_ROLLOUT_LIMITS.maxDevices),
    maxDevicesPerDay: count.default(DEFAULT_ROLLOUT_LIMITS.maxDevicesPerDay),
    maxAge: maxAge(MAX_APPROVAL_HOURS, '24h').prefault(`${DEFAULT_ROLLOUT_LIMITS.maxAgeMs / HOUR}h`),
    maxWaiting: waiting.default(DEFAULT_ROLLOUT_LIMITS.maxWaiting),
  },
  { error: 'must contain limits, such as `maxDevices: 1000`' },
);

const roles = z.strictObject(
  { viewer: members, operator: members, approver: members, admin: members },
  {
    error: missingOrWrong(
      'is missing: who can do what, such as `approver: [U0123456789]`',
      'must list ids for each role, such as `approver: [U0123456789]`',
    ),
  },
);
const channels = z.strictObject(
  { approvals: channel, patchAlerts: channel, newDevices: channel },
  {
    error: missingOrWrong(
      'is missing: approvals, patchAlerts and newDevices, each a channel id',
      'must have approvals, patchAlerts and newDevices, each a channel id',
    ),
  },
);

/** Short enough for a reason that names several. */
const TICKET_URL = {
  error:
    'must be an https URL of up to 200 characters with {id} once, such as https://tickets.example.com/{id}',
};
const ticketUrl = z
  .string(TICKET_URL)
  .max(200, TICKET_URL)
  .regex(/^https:\/\/[^\s<>|`{}/?#@]+\/[^\s<>|`{}]*\{id\}[^\s<>|`{}]*$/, TICKET_URL);

/** Roles by Slack user id and user group, and the channels to post in. */
const configurationSchema = z.strictObject(
  {
    roles,
    channels,
    /** The lowest role that sees personal data in private: who is logged in, serial numbers and addresses. */
    personal: z
      .enum(ROLES, {
        error: `must be the lowest role that sees personal data in private: ${ROLES.join(', ')}`,
      })
      .default('viewer'),
    /** Channels that show personal data too. */
    personalChannels: z
      .array(channel, { error: 'must be a list of channel ids, such as [C0123456789]' })
      .default([]),
    /** Channels shared with other organizations in which answers, links and alerts may be shown; `allow`: all. */
    externalChannels: z
      .union([z.literal('allow'), z.array(channel)], {
        error: 'must be allow, or a list of channel ids, such as [C0123456789]',
      })
      .default([]),
    /** Other Slack teams whose members may have a role too. */
    otherTeams: z
      .array(
        z.string().regex(/^[TE][A-Z0-9]{2,}$/, { error: 'must be a team id (T…) or enterprise id (E…)' }),
        { error: 'must be a list of team ids, such as [T0123456789]' },
      )
      .default([]),
    /** Where the tickets are that reasons name. */
    ticketUrl: ticketUrl.optional(),
    /** Changes to the service of this age or older are not sent. */
    changes: changes.prefault({}).transform(({ maxAge: maxAgeMs }) => ({ maxAgeMs })),
    /** How large a change of many devices may be, and how long an approval of it lasts. */
    rollouts: rollouts
      .prefault({})
      .transform(({ maxAge: maxAgeMs, ...sizes }): RolloutLimits => ({ ...sizes, maxAgeMs })),
  },
  { error: 'the configuration file needs `roles:` and `channels:`' },
);

export type ConfigurationFile = Unchanging<z.output<typeof configurationSchema>> & {
  /** The lines of the file on which each id appears, for whoever has to correct one. */
  readonly lines?: ReadonlyMap<string, readonly number[]>;
};

type ConfigurationFileRead =
  | { readonly kind: 'configuration'; readonly configuration: ConfigurationFile }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

/** Reads the text of a configuration file. Each fault is one line that names the place in the file. */
export function parseConfigurationFile(text: string): ConfigurationFileRead {
  const parsed = readYaml(text);
  if (parsed.kind === 'faults') return parsed;
  const checked = configurationSchema.safeParse(parsed.value ?? {}, {
    error: () => 'has a value that is not supported',
  });
  if (!checked.success) {
    const faults = checked.error.issues.flatMap(faultsOf);
    return { kind: 'faults', faults: faults.map(({ path, words }) => `${parsed.placeOf(path)}: ${words}`) };
  }
  const configuration = checked.data;
  const deciders = [configuration.roles.approver, configuration.roles.admin];
  if (deciders.every((role) => role.people.length + role.userGroups.length === 0)) {
    const place = parsed.placeOf(['roles', 'approver']);
    return {
      kind: 'faults',
      faults: [`${place}: roles.approver and roles.admin are empty, so nobody can approve requests`],
    };
  }
  return { kind: 'configuration', configuration: { ...configuration, lines: linesOfIds(text) } };
}

/** Skips comments. */
function linesOfIds(text: string): ReadonlyMap<string, readonly number[]> {
  const lines = new Map<string, number[]>();
  for (const [index, line] of text.split('\n').entries()) {
    for (const [id] of line.replace(/#.*/, '').matchAll(/\b[A-Z][A-Z0-9]{2,}\b/g))
      lines.set(id, [...(lines.get(id) ?? []), index + 1]);
  }
  return lines;
}

function faultsOf(issue: z.core.$ZodIssue) {
  const { path } = issue;
  const key = path.join('.');
  if (issue.code !== 'unrecognized_keys')
    return [{ path, words: key === '' ? issue.message : `${key} ${issue.message}` }];
  const where = key === '' ? 'the configuration file' : key;
  return issue.keys.map((name) => ({
    path: [...path, name],
    words: `${where} has an unknown key: ${name === '' ? '(no name)' : name}${knownKeysText(name, KEYS[key] ?? [])}`,
  }));
}

/** The keys of each level that has names of ours. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(configurationSchema.shape),
  roles: Object.keys(roles.shape),
  channels: Object.keys(channels.shape),
  changes: Object.keys(changes.shape),
  rollouts: Object.keys(rollouts.shape),
};

function knownKeysText(name: string, known: readonly string[]): string {
  const meant = closestWord(name, known);
  return meant === null ? ` (known: ${known.join(', ')})` : `; did you mean ${meant}?`;
}

type YamlRead =
  | {
      readonly kind: 'value';
      readonly value: unknown;
      /** Where the key or list item at a path is, or the nearest one above it: `line 2, column 3`. */
      readonly placeOf: (path: readonly PropertyKey[]) => string;
    }
  | { readonly kind: 'faults'; readonly faults: readonly string[] };

/** Later faults usually follow from the first ones. */
const MAX_FAULTS = 3;

/** Never throws, and prints nothing. Each fault is one line. */
function readYaml(text: string): YamlRead {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { logLevel: 'error', lineCounter, stringKeys: true });
  const place = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const fault = (code: ErrorCode, offset: number) =>
    `${place(offset)}: not valid YAML${nearestKeyText(document, offset)}: ${FAULT_TEXTS[code]}`;
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) {
    const faults = wrong.map(({ code, pos }) => fault(code, pos[0]));
    return { kind: 'faults', faults: [...new Set(faults)].slice(0, MAX_FAULTS) };
  }
  try {
    const value: unknown = document.toJS();
    return { kind: 'value', value, placeOf: (path) => place(offsetOf(document, path)) };
  } catch {
    // Only references can fail here: one without a target, or so many that they would fill the memory.
    return { kind: 'faults', faults: [fault('BAD_ALIAS', firstReference(document))] };
  }
}

function nearestKeyText(document: Document, offset: number): string {
  const keys: string[] = [];
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && startOf(key, offset + 1) <= offset) keys.push(String(key.value));
    },
  });
  const nearest = keys.at(-1);
  return nearest === undefined ? '' : ` near \`${nearest}\``;
}

function firstReference(document: Document): number {
  const starts: number[] = [];
  visit(document, { Alias: (_, alias) => void starts.push(startOf(alias, 0)) });
  return starts[0] ?? 0;
}

function offsetOf({ contents }: Document, path: readonly PropertyKey[]): number {
  let node: unknown = contents;
  let offset = startOf(node, 0);
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const inside: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
    offset = startOf(pair?.key ?? inside, offset);
    node = inside;
  }
  return offset;
}

function startOf(node: unknown, otherwise: number): number {
  return isNode(node) ? (node.range?.[0] ?? otherwise) : otherwise;
}

const INDENT = 'close every bracket, and start all keys of one level in the same column';
const REFERENCE = "references (`&name` and `*name`) aren't supported; write the value out";
const TAG = "tags (`!name`) aren't supported";
const STRUCTURE = 'check the brackets, colons and indentation';

const FAULT_TEXTS = {
  ALIAS_PROPS: REFERENCE,
  BAD_ALIAS: REFERENCE,
  BAD_COLLECTION_TYPE: TAG,
  BAD_DIRECTIVE: "lines that start with % aren't supported",
  BAD_DQ_ESCAPE: 'a backslash inside double quotes; use single quotes',
  BAD_INDENT: INDENT,
  BAD_PROP_ORDER: TAG,
  BAD_SCALAR_START: 'a value starts with a special character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'two keys on one line; put each on its own line',
  BLOCK_IN_FLOW: 'a block inside brackets; close the bracket first',
  DUPLICATE_KEY: 'a key is used twice',
  IMPOSSIBLE: STRUCTURE,
  KEY_OVER_1024_CHARS: 'a key is too long',
  MISSING_CHAR: 'a bracket, a quote or a colon is missing',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing, or a key spans several lines',
  MULTIPLE_ANCHORS: REFERENCE,
  MULTIPLE_DOCS: 'several documents separated by ---; keep one',
  MULTIPLE_TAGS: TAG,
  NON_STRING_KEY: 'a key must be plain text',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'a tab at the start of a line; indent with spaces',
  TAG_RESOLVE_FAILED: TAG,
  UNEXPECTED_TOKEN: STRUCTURE,
} as const satisfies Record<ErrorCode, string>;
