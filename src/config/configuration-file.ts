/**
 * The configuration file: who may do what, and which channels are used. zod checks it, and each fault names its
 * place.
 */
import { z } from 'zod';
import { ROLES, type Role } from '../lib/access.ts';
import { HOUR } from '../lib/clock.ts';
import { channelId } from '../lib/ids.ts';
import type { Unchanging } from '../lib/record-fields.ts';
import { DEFAULT_ROLLOUT_LIMITS, type RolloutLimits } from '../lib/rollout-limits.ts';
import { closestWord } from '../lib/text.ts';
import { countTo, duration, memberIds, missingOrWrong, peopleOf } from './fields.ts';
import {
  type ApprovalRules,
  approvalRulesOf,
  RULE_KEYS,
  rulesFaults,
  rulesSection,
} from './rules-section.ts';
import { readYaml } from './yaml.ts';

const members = memberIds.default([]).transform(peopleOf);
const CHANNEL = 'must be a channel id (C… or G…), not a name';
const channel = z
  .string({ error: missingOrWrong('is missing: a channel id, such as C0123456789', CHANNEL) })
  .regex(/^[CG][A-Z0-9]{2,}$/, { error: CHANNEL })
  .transform(channelId);

const changes = z.strictObject(
  { maxAge: duration(24, '15m').prefault('15m') },
  { error: 'must contain maxAge, such as `maxAge: 15m`' },
);

/** As many as fleets of the service have. */
const MOST = 1_000_000;
const count = countTo(MOST);
/** A held rollout ends after as long, too. */
const MAX_APPROVAL_HOURS = 7 * 24;
/** As many as one read of the store gives. */
const waiting = countTo(500);
const rollouts = z.strictObject(
  {
    reasonFrom: count.default(DEFAULT_ROLLOUT_LIMITS.reasonFrom),
    maxDevices: count.default(DEFAULT_ROLLOUT_LIMITS.maxDevices),
    maxDevicesPerDay: count.default(DEFAULT_ROLLOUT_LIMITS.maxDevicesPerDay),
    maxAge: duration(MAX_APPROVAL_HOURS, '24h').prefault(`${DEFAULT_ROLLOUT_LIMITS.maxAgeMs / HOUR}h`),
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
    ...rulesSection,
  },
  { error: 'the configuration file needs `roles:` and `channels:`' },
);

type WithoutRules = Omit<z.output<typeof configurationSchema>, keyof typeof rulesSection>;
export type ConfigurationFile = Unchanging<WithoutRules> & {
  readonly approvalRules: ApprovalRules;
  /** What was read. */
  readonly text: string;
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
  const faults = checked.success ? wholeFaults(checked.data) : checked.error.issues.flatMap(faultsOf);
  if (!checked.success || faults.length > 0)
    return { kind: 'faults', faults: faults.map(({ path, words }) => `${parsed.placeOf(path)}: ${words}`) };
  const { rules, otherwise, timezone, tests, ...others } = checked.data;
  const approvalRules = approvalRulesOf({ rules, otherwise, timezone, tests }, parsed.placeOf);
  return { kind: 'configuration', configuration: { ...others, approvalRules, text, lines: parsed.lines } };
}

/** What no single value shows. */
function wholeFaults(configuration: z.output<typeof configurationSchema>) {
  const idsOf = (names: readonly Role[]) =>
    new Set(names.flatMap((role) => Object.values(configuration.roles[role]).flat()));
  const deciders = idsOf(['approver', 'admin']);
  if (deciders.size === 0) {
    const words = 'roles.approver and roles.admin are empty, so nobody can approve requests';
    return [{ path: ['roles', 'approver'], words }];
  }
  return rulesFaults(configuration, { known: idsOf(ROLES), deciders });
}

/** How the file has to look, for editors: JSON Schema, draft 2020-12. */
export function configurationJsonSchema(): unknown {
  return z.toJSONSchema(configurationSchema, { io: 'input', unrepresentable: 'any' });
}

function faultsOf(issue: z.core.$ZodIssue) {
  const { path } = issue;
  const key = path.join('.');
  const level = path.filter((step) => typeof step !== 'number').join('.');
  if (issue.code !== 'unrecognized_keys')
    return [{ path, words: key === '' ? issue.message : `${key} ${issue.message}` }];
  const where = key === '' ? 'the configuration file' : key;
  return issue.keys.map((name) => ({
    path: [...path, name],
    words: `${where} has an unknown key: ${name === '' ? '(no name)' : name}${knownKeysText(name, KEYS[level] ?? [])}`,
  }));
}

/** The keys of each level that has names of ours. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(configurationSchema.shape),
  roles: Object.keys(roles.shape),
  channels: Object.keys(channels.shape),
  changes: Object.keys(changes.shape),
  rollouts: Object.keys(rollouts.shape),
  ...RULE_KEYS,
};

function knownKeysText(name: string, known: readonly string[]): string {
  const meant = closestWord(name, known);
  return meant === null ? ` (known: ${known.join(', ')})` : `; did you mean ${meant}?`;
}
