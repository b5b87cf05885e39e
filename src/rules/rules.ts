/**
 * Rules of the configuration file: what they ask for before a change is sent. Pure. Every rule that fits counts, so their
 * order means nothing, and a further rule never lets more through: refuse before ask before run before the default.
 */
import type { FleetAction } from '../fleet/model/actions.ts';
import type { Group } from '../fleet/model/resources.ts';
import { MINUTE } from '../lib/clock.ts';
import type { GroupId } from '../lib/ids.ts';
import type { Demand, People, Quorum } from './quorum.ts';
import { isWithin, type RuleTime, type WallClock } from './time.ts';

/** What only looks at the device: nobody has to agree where no rule fits. */
export const LOOKING_KINDS: ReadonlySet<FleetAction['kind']> = new Set(['scan', 'policy-test']);

/** The names of commands that a rule may cover, and what they ask for. */
export const RULE_COMMANDS = {
  scan: ['scan'],
  reboot: ['reboot'],
  patch: ['patch', 'patch-all', 'patch-each'],
  'policy-test': ['policy-test'],
  'policy-remediate': ['policy-remediate'],
  'policy-run': ['policy-remediate'],
  'device-edit': ['device-edit'],
  'device-remove': ['device-remove'],
  'group-create': ['group-create'],
  'group-edit': ['group-edit'],
  'group-remove': ['group-remove'],
  'policy-create': ['policy-create'],
  'policy-edit': ['policy-edit'],
} as const satisfies Record<string, readonly FleetAction['kind'][]>;
export type RuleCommand = keyof typeof RULE_COMMANDS;

export type Asking = {
  /** All of them must be met. */
  readonly quorums: readonly Quorum[];
  /** What the requester's reason must be: one at all, or one with this in it. */
  readonly reason: 'required' | RegExp | null;
  /** How long it waits. */
  readonly expiresMs: number;
  /** After so long those who can still agree are mentioned again; `half`: of the request's life; null: never. */
  readonly remindMs: number | 'half' | null;
  readonly escalate: { readonly afterMs: number; readonly to: People } | null;
};

/** The device as rules see it; null, undefined or absent: not known. */
export type RuleDevice = {
  readonly groupId: GroupId | null;
  readonly tags?: readonly string[] | null | undefined;
  readonly osFamily: string | null;
  readonly osName: string | null;
  readonly osVersion: string | null;
};

export type Rule = {
  readonly name: string;
  /** Whether a device fits; null: not known. No test: every device does. */
  readonly devices: ((device: RuleDevice) => boolean | null) | null;
  /** Groups that it names and the fleet does not have. */
  readonly lostGroups: readonly string[];
  /** Null: everything that asks where no rule fits. */
  readonly kinds: ReadonlySet<FleetAction['kind']> | null;
  /** Requests of so many devices on. */
  readonly atLeast: number;
  /** Whose requests; null: everybody's. */
  readonly by: People | null;
  readonly time: RuleTime | null;
  readonly effect:
    | { readonly do: 'ask'; readonly asking: Asking }
    /** Nobody has to agree, for up to so many devices within 60 minutes. */
    | { readonly do: 'run'; readonly perHour: number }
    | { readonly do: 'refuse'; readonly because: string };
};

export type RuleSet = {
  readonly rules: readonly Rule[];
  /** What no rule covers. */
  readonly otherwise: Asking;
  /** Of what a rule asks whose group the fleet does not have: somebody who can mend it. */
  readonly admin: Asking;
};

/** A group in the tree. */
export type RuleGroup = Pick<Group, 'id' | 'name' | 'parentId'>;

/** What the configuration file says now. */
export type RulesInForce = {
  /** Equal for files that say the same of approvals. */
  readonly digest: string;
  /** Of the times in rules. */
  readonly timezone: string;
  /** Whether some of them hold at some times only. */
  readonly hasTimes: boolean;
  /** By the groups that the fleet has; null: those are not known yet. */
  readonly setFor: (groups: readonly RuleGroup[] | null) => RuleSet;
};

const DEFAULT_EXPIRY_MS = 30 * MINUTE;
/** One approver within half an hour, reminded once. */
export const DEFAULT_ASKING: Asking = {
  quorums: [{ from: null, count: 1 }],
  reason: null,
  expiresMs: DEFAULT_EXPIRY_MS,
  remindMs: 'half',
  escalate: null,
};

/** Of a file without rules. */
export const NO_RULES: RulesInForce = {
  digest: '',
  timezone: 'UTC',
  hasTimes: false,
  setFor: () => ({ rules: [], otherwise: DEFAULT_ASKING, admin: DEFAULT_ASKING }),
};

/** What is to be judged, whatever the device. */
export type RuleQuestion = {
  readonly kind: FleetAction['kind'];
  /** Whether nobody has to agree where no rule fits: scans, tests, and a custom name alone. */
  readonly isFree: boolean;
  /** Devices of the whole request. */
  readonly size: number;
  /** Whether the requester is among them; null: not known. */
  readonly isBy: (people: People) => boolean | null;
  /** When it would be sent, in the zone of the rules. */
  readonly at: WallClock;
  /** How many devices each `run` rule let through in the last hour; absent: none. */
  readonly ran?: ReadonlyMap<string, number>;
};

export type RefusingRule = { readonly name: string; readonly because: string };

export type Judgement =
  | {
      readonly kind: 'refused';
      readonly rules: readonly RefusingRule[];
      /** Which of the devices, by their place. */
      readonly devices: readonly number[];
    }
  | {
      readonly kind: 'asks';
      readonly demands: readonly Demand[];
      /** What the requester's reason must be, by rule; null: of what no rule covers. */
      readonly reasons: readonly { readonly rule: string | null; readonly reason: 'required' | RegExp }[];
      /** The shortest of them. */
      readonly expiresMs: number;
    }
  /** Nobody has to agree; with the rules that say so, for how many devices each, and how many more it lets through then. */
  | {
      readonly kind: 'runs';
      readonly by: readonly { readonly rule: string; readonly devices: number; readonly left: number }[];
    };

/** A rule whose other conditions hold for this request; `isSure` false: whether it is by its people is not known. */
type Held = { readonly rule: Rule; readonly isSure: boolean };

/**
 * What holds for a request. A device is given as it is, and as it would be after an edit; a group or policy as all devices
 * that it reaches, before and after. What is not known never lets through: it fits what asks and refuses, and nothing that
 * runs.
 */
export function judge(
  set: RuleSet,
  question: RuleQuestion,
  devices: readonly (readonly RuleDevice[])[],
): Judgement {
  const held = set.rules.flatMap((rule) => hold(rule, question));
  // What reaches no device, such as a new group, is judged by the rules for everything.
  const verdicts = (devices.length === 0 ? [[]] : devices).map((forms) => verdictOf(held, forms));
  const refused = verdicts.flatMap((verdict, at) => (verdict.refused.length > 0 ? [at] : []));
  if (refused.length > 0)
    return {
      kind: 'refused',
      rules: distinct(verdicts.flatMap((verdict) => verdict.refused)).flatMap(({ name, effect }) =>
        effect.do === 'refuse' ? [{ name, because: effect.because }] : [],
      ),
      devices: refused,
    };
  const running = Map.groupBy(
    verdicts.filter(({ asking, runs }) => asking.length === 0 && runs !== null),
    ({ runs }) => runs,
  );
  const spent = [...running].find(([rule, { length }]) => rule !== null && length > leftOf(rule, question));
  // More than it lets through in an hour: as if it did not exist.
  if (spent !== undefined)
    return judge({ ...set, rules: set.rules.filter((rule) => rule !== spent[0]) }, question, devices);
  const asked = askedOf(set, question, held, verdicts);
  if (asked.length > 0)
    return {
      kind: 'asks',
      demands: asked.map(demandOf),
      reasons: asked.flatMap(({ rule, asking: { reason } }) => (reason === null ? [] : [{ rule, reason }])),
      expiresMs: Math.min(...asked.map(({ asking }) => asking.expiresMs)),
    };
  const by = [...running].flatMap(([rule, { length: count }]) =>
    rule === null ? [] : [{ rule: rule.name, devices: count, left: leftOf(rule, question) - count }],
  );
  return { kind: 'runs', by };
}

/** How many more devices a rule lets through this hour. */
function leftOf({ name, effect }: Rule, { ran }: Pick<RuleQuestion, 'ran'>): number {
  return (effect.do === 'run' ? effect.perHour : 0) - (ran?.get(name) ?? 0);
}

/** Without a look at the devices. */
function hold(rule: Rule, question: RuleQuestion): readonly Held[] {
  const { kinds, atLeast, by, time } = rule;
  const covers = kinds === null ? !question.isFree : kinds.has(question.kind);
  if (!covers || question.size < atLeast) return [];
  if (time !== null && !isWithin(time, question.at)) return [];
  const isBy = by === null ? true : question.isBy(by);
  return isBy === false ? [] : [{ rule, isSure: isBy === true }];
}

type Verdict = {
  readonly refused: readonly Rule[];
  readonly asking: readonly Rule[];
  /** The rule by which nobody has to agree. */
  readonly runs: Rule | null;
};

function verdictOf(held: readonly Held[], forms: readonly RuleDevice[]): Verdict {
  const [refused, asking]: [Rule[], Rule[]] = [[], []];
  let runs: Rule | null = null;
  for (const { rule, isSure } of held) {
    const { devices: test, effect } = rule;
    // Nobody knows whom it means: that asks an admin, beside what else holds.
    if (rule.lostGroups.length > 0) continue;
    const found = test === null ? [true] : forms.map(test);
    if (effect.do === 'run') {
      if (isSure && found.length > 0 && found.every((fits) => fits === true)) runs ??= rule;
    } else if (found.some((fits) => fits !== false)) (effect.do === 'ask' ? asking : refused).push(rule);
  }
  return { refused, asking, runs };
}

type Asked = Pick<Demand, 'rule' | 'devices' | 'isLost'> & { readonly asking: Asking };

function askedOf(
  { otherwise, admin }: RuleSet,
  { isFree }: RuleQuestion,
  held: readonly Held[],
  verdicts: readonly Verdict[],
): readonly Asked[] {
  const asked = new Map<Rule, number>();
  for (const { asking } of verdicts) for (const rule of asking) asked.set(rule, (asked.get(rule) ?? 0) + 1);
  const uncovered = verdicts.filter(({ asking, runs }) => asking.length === 0 && runs === null).length;
  const lost = held.filter(({ rule }) => rule.lostGroups.length > 0 && rule.effect.do !== 'run');
  return [
    ...[...asked].flatMap(([{ name, effect }, devices]) =>
      effect.do === 'ask' ? [{ rule: name, devices, asking: effect.asking }] : [],
    ),
    ...lost.map(({ rule }) => ({
      ...{ rule: rule.name, devices: verdicts.length, asking: admin },
      isLost: true as const,
    })),
    ...(uncovered > 0 && !isFree ? [{ rule: null, devices: uncovered, asking: otherwise }] : []),
  ];
}

function demandOf({ asking, ...about }: Asked): Demand {
  const { quorums, remindMs, escalate } = asking;
  return { ...about, quorums, remindMs, escalate };
}

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
