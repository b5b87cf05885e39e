/**
 * Who has to agree to what: `rules`, `otherwise` and `tests` of the configuration file. Which devices a rule means is text
 * here: that language is the one of commands.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { timeZoneNamed } from '../lib/clock.ts';
import { durationText } from '../lib/text.ts';
import type { People, Quorum } from '../rules/quorum.ts';
import { type Asking, DEFAULT_ASKING, RULE_COMMANDS, type Rule, type RuleCommand } from '../rules/rules.ts';
import { parseRuleTime, parseWallClock, RULE_TIME_EXAMPLES } from '../rules/time.ts';
import { countTo, duration, member, memberIds, peopleOf } from './fields.ts';

/** Presses of more people at once would lose too many races for the one row of a request. */
const MAX_APPROVALS = 10;
const MAX_RULES = 100;
const MAX_HOURS = 7 * 24;
const MAX_NAME = 40;
const MAX_TEXT = 200;
/** Of hexadecimal digits: files of one team. */
const DIGEST_LENGTH = 16;

const approvals = countTo(MAX_APPROVALS);
const APPROVERS = { error: 'must be a list of ids, or so many of each, such as {S0123456789: 1}' };
const approvers = z.union(
  [memberIds.min(1, APPROVERS), z.record(member, approvals).refine((each) => Object.keys(each).length > 0)],
  APPROVERS,
);
const REASON = {
  error:
    'must be required, or a regular expression without repetitions within repetitions, such as CHG-\\d{5}',
};
const reason = z
  .string(REASON)
  .min(1, REASON)
  .max(MAX_TEXT, REASON)
  .refine((text) => text === 'required' || isPattern(text), REASON)
  .transform((text) => (text === 'required' ? text : { pattern: text }));
const remind = z.union([z.literal('never'), duration(MAX_HOURS, '20m')], {
  error: `must be never, or a duration from 1m to ${MAX_HOURS}h, such as 20m`,
});
const ESCALATE = { error: 'must say when and to whom, such as {after: 40m, to: [S0123456789]}' };
const escalate = z.strictObject(
  {
    after: duration(MAX_HOURS, '40m'),
    to: memberIds.min(1, ESCALATE).transform(peopleOf),
  },
  ESCALATE,
);

const asking = {
  approvals: approvals.optional(),
  approvers: approvers.optional(),
  reason: reason.optional(),
  expires: duration(MAX_HOURS, '30m').optional(),
  remind: remind.optional(),
  escalate: escalate.optional(),
};

const COMMANDS = Object.keys(RULE_COMMANDS) as readonly RuleCommand[];
const TIME = { error: `must be a time, such as ${RULE_TIME_EXAMPLES}` };
const WHEN = { error: 'must be conditions, such as {devices: "tag:production"}' };
const when = z.strictObject(
  {
    devices: z
      .string({
        error:
          'must be filters in quotes, such as "group:Kiosks": group:A,B without quotes is read as two keys',
      })
      .optional(),
    commands: z
      .array(z.enum(COMMANDS, { error: `must be one of ${COMMANDS.join(', ')}` }), {
        error: 'must be a list of commands, such as [reboot]',
      })
      .min(1, { error: 'must be a list of commands, such as [reboot]' })
      .optional(),
    atLeast: countTo(1_000_000).optional(),
    by: memberIds.min(1).transform(peopleOf).optional(),
    time: z
      .string(TIME)
      .transform((text, context) => {
        const time = parseRuleTime(text);
        if (time === null) context.addIssue({ code: 'custom', message: TIME.error });
        return time;
      })
      .optional(),
  },
  WHEN,
);
const RUN = { error: 'must say how many devices an hour, such as {perHour: 40}' };
const run = z.strictObject({ perHour: countTo(1_000_000) }, RUN);
const REFUSE = { error: `must be a text of up to ${MAX_TEXT} characters that says why` };
const NAME = { error: `must be a name of up to ${MAX_NAME} characters` };
const rule = z.strictObject(
  {
    name: z.string(NAME).trim().min(1, NAME).max(MAX_NAME, NAME),
    when: when.default({}),
    ...asking,
    run: run.optional(),
    refuse: z.string(REFUSE).trim().min(1, REFUSE).max(MAX_TEXT, REFUSE).optional(),
  },
  { error: 'must be a rule, such as {name: production, when: {devices: "tag:production"}, approvals: 2}' },
);

const AT = { error: 'must be a day and time, such as 2026-12-01 23:00' };
const TEST_DEVICE = { error: 'must be facts, such as {group: Kiosks, tags: [lab], os: Windows 11}' };
const EXPECT = { error: 'must be run, refuse, or a list of the rules that ask, such as [production]' };
const test = z.strictObject(
  {
    command: z.enum(COMMANDS, { error: `must be one of ${COMMANDS.join(', ')}` }),
    device: z
      .strictObject(
        { group: z.string().optional(), tags: z.array(z.string()).default([]), os: z.string().optional() },
        TEST_DEVICE,
      )
      .default({ tags: [] }),
    devices: countTo(1_000_000).default(1),
    /** The requester, and the user groups that they are in. */
    by: z
      .union([member, memberIds])
      .default([])
      .transform((ids) => (typeof ids === 'string' ? [ids] : ids)),
    at: z
      .string(AT)
      .transform((text, context) => {
        const at = parseWallClock(text);
        if (at === null) context.addIssue({ code: 'custom', message: AT.error });
        return at;
      })
      .optional(),
    expect: z.union([z.enum(['run', 'refuse']), z.array(z.string())], EXPECT),
  },
  { error: 'must be a test, such as {command: reboot, device: {tags: [lab]}, expect: run}' },
);

const LIST_OF_RULES = { error: `must be a list of up to ${MAX_RULES} rules` };
const ZONE = { error: 'must be a time zone, such as Europe/Berlin' };
export const rulesSection = {
  /** Of the times in rules. */
  timezone: z
    .string(ZONE)
    .refine((name) => timeZoneNamed(name) !== null, ZONE)
    .default('UTC'),
  /** What no rule covers, and each key that a rule leaves out. */
  otherwise: z
    .strictObject(asking, { error: 'must say who agrees, such as {approvers: [S0123456789], expires: 30m}' })
    .default({}),
  rules: z.array(rule, LIST_OF_RULES).max(MAX_RULES, LIST_OF_RULES).default([]),
  /** What holds for devices that need not exist, checked with the file. */
  tests: z.array(test, { error: 'must be a list of tests' }).default([]),
};

const section = z.strictObject(rulesSection);
type RulesSection = z.output<typeof section>;
type RuleEntry = RulesSection['rules'][number];
type AskingEntry = RulesSection['otherwise'];
type TestEntry = RulesSection['tests'][number];
/** `place`: where it stands in the file. */
export type RuleTest = TestEntry & { readonly place: string };

/** A rule as the file has it; `devices` null: all. `place`: where those stand. */
export type FileRule = Pick<Rule, 'name' | 'atLeast' | 'by' | 'time' | 'kinds' | 'effect'> & {
  readonly devices: string | null;
  readonly place: string;
};
/** What the file says of approvals. */
export type ApprovalRules = {
  readonly rules: readonly FileRule[];
  readonly otherwise: Asking;
  readonly timezone: string;
  readonly tests: readonly RuleTest[];
  /** Equal for files that say the same of approvals. */
  readonly digest: string;
};

export function approvalRulesOf(
  { rules, otherwise, timezone, tests }: RulesSection,
  placeOf: (path: readonly PropertyKey[]) => string,
): ApprovalRules {
  return {
    rules: rules.map((entry, at) => ({
      name: entry.name,
      devices: entry.when.devices ?? null,
      place: placeOf(['rules', at, 'when', 'devices']),
      kinds:
        entry.when.commands === undefined
          ? null
          : new Set(entry.when.commands.flatMap((command) => RULE_COMMANDS[command])),
      atLeast: entry.when.atLeast ?? 1,
      by: entry.when.by ?? null,
      time: entry.when.time ?? null,
      effect: effectOf(entry, otherwise),
    })),
    otherwise: askingOf(otherwise, {}),
    timezone,
    digest: digestOf({ rules, otherwise, timezone }),
    tests: tests.map((entry, at) => ({ ...entry, place: placeOf(['tests', at]) })),
  };
}

function digestOf(section: unknown): string {
  const text = JSON.stringify(section, (_, value: unknown) => (value instanceof Set ? [...value] : value));
  return createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
}

function effectOf({ run: runs, refuse, ...own }: RuleEntry, otherwise: AskingEntry): Rule['effect'] {
  if (refuse !== undefined) return { do: 'refuse', because: refuse };
  if (runs !== undefined) return { do: 'run', perHour: runs.perHour };
  return { do: 'ask', asking: askingOf(own, otherwise) };
}

function askingOf(own: AskingEntry, otherwise: AskingEntry): Asking {
  const all = { ...otherwise, ...own };
  const expiresMs = all.expires ?? DEFAULT_ASKING.expiresMs;
  return {
    quorums: quorumsOf(all),
    reason:
      all.reason === undefined
        ? null
        : all.reason === 'required'
          ? 'required'
          : new RegExp(all.reason.pattern, 'u'),
    expiresMs,
    remindMs: all.remind === 'never' ? null : (all.remind ?? 'half'),
    escalate: all.escalate === undefined ? null : { afterMs: all.escalate.after, to: all.escalate.to },
  };
}

function quorumsOf({ approvers: from, approvals: count = 1 }: AskingEntry): readonly Quorum[] {
  if (from === undefined) return [{ from: null, count }];
  if (Array.isArray(from)) return [{ from: peopleOf(from), count }];
  return Object.entries(from).map(([id, needed]) => ({ from: peopleOf([id]), count: needed }));
}

type Fault = { readonly path: readonly PropertyKey[]; readonly words: string };

/** What no single value shows. `roles`: everybody who may ask, and who may decide. */
export function rulesFaults(
  { rules, otherwise, tests }: RulesSection,
  roles: { readonly known: ReadonlySet<string>; readonly deciders: ReadonlySet<string> },
): readonly Fault[] {
  const names = rules.map(({ name }) => name);
  return [
    ...askingFaults(otherwise, otherwise, ['otherwise'], roles.deciders),
    ...rules.flatMap((entry, at) => [
      ...(names.indexOf(entry.name) === at
        ? []
        : [{ path: ['rules', at, 'name'], words: `another rule is called ${entry.name} too` }]),
      ...effectFaults(entry, ['rules', at]),
      ...askingFaults(entry, otherwise, ['rules', at], roles.deciders),
      ...unlisted(entry.when.by, roles.known, ['rules', at, 'when', 'by'], 'under roles'),
    ]),
    ...tests.flatMap(({ expect }, at) =>
      (typeof expect === 'string' ? [] : expect)
        .filter((name) => !names.includes(name))
        .map((name) => ({ path: ['tests', at, 'expect'], words: `no rule is called ${name}` })),
    ),
  ];
}

function effectFaults(entry: RuleEntry, path: readonly PropertyKey[]): readonly Fault[] {
  const asks = Object.keys(asking).filter((key) => Object.hasOwn(entry, key));
  const does = [
    ...(entry.run === undefined ? [] : ['run']),
    ...(entry.refuse === undefined ? [] : ['refuse']),
  ];
  const [first, ...others] = [...does, ...asks];
  if (does.length === 0 || first === undefined || others.length === 0) return [];
  return [
    {
      path: [...path, others.join()],
      words: `rule ${entry.name} has ${first} and ${others.join(', ')}: keep one`,
    },
  ];
}

function askingFaults(
  { approvers: own, approvals: count, escalate: later, expires }: AskingEntry,
  otherwise: AskingEntry,
  path: readonly PropertyKey[],
  deciders: ReadonlySet<string>,
): readonly Fault[] {
  const from = own ?? otherwise.approvers;
  const ids = own === undefined ? [] : Array.isArray(own) ? own : Object.keys(own);
  const where = 'under roles.approver or roles.admin';
  const needed = count ?? otherwise.approvals ?? 1;
  const isOfPeople = Array.isArray(from) && from.every((id) => !id.startsWith('S'));
  const people = isOfPeople ? new Set(from) : null;
  const escalation = later ?? otherwise.escalate;
  const endsMs = expires ?? otherwise.expires ?? DEFAULT_ASKING.expiresMs;
  return [
    ...(count !== undefined && from !== undefined && !Array.isArray(from)
      ? [
          {
            path: [...path, 'approvals'],
            words: 'approvals doesn’t apply where approvers says how many of each',
          },
        ]
      : []),
    ...(people !== null && people.size < needed
      ? [{ path, words: `approvals asks for ${needed} people, and approvers names ${people.size}` }]
      : []),
    ...(escalation !== undefined && escalation.after >= endsMs
      ? [{ path, words: `escalate.after must be shorter than expires, ${durationText(endsMs)}` }]
      : []),
    ...unlisted(peopleOf(ids), deciders, [...path, 'approvers'], where),
    ...unlisted(later?.to, deciders, [...path, 'escalate', 'to'], where),
  ];
}

function unlisted(
  named: People | undefined,
  listed: ReadonlySet<string>,
  path: readonly PropertyKey[],
  where: string,
): readonly Fault[] {
  const ids = [...(named?.people ?? []), ...(named?.userGroups ?? [])].filter((id) => !listed.has(id));
  return ids.length === 0 ? [] : [{ path, words: `list ${ids.join(', ')} ${where}, too` }];
}

/** A repetition within a repetition may take minutes for a reason of thirty characters, while everybody waits. */
const NESTED = /\((?:[^()\\]|\\.)*[+*}](?:[^()\\]|\\.)*\)\s*[+*{]/;

function isPattern(text: string): boolean {
  try {
    return !NESTED.test(text) && new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** The keys of each level. */
export const RULE_KEYS: Readonly<Record<string, readonly string[]>> = {
  otherwise: Object.keys(asking),
  rules: Object.keys(rule.shape),
  'rules.when': Object.keys(when.shape),
  'rules.run': Object.keys(run.shape),
  'rules.escalate': Object.keys(escalate.shape),
  'otherwise.escalate': Object.keys(escalate.shape),
  tests: Object.keys(test.shape),
  'tests.device': ['group', 'tags', 'os'],
};
