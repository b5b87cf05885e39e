/** The fields of a policy (§4.10): how they are checked, sent and compared. Pure. */
import type { NewPolicy, PolicyChange, PolicyField } from '../model/edits.ts';
import type { Policy } from '../model/policy.ts';
import type { WithRaw } from '../reads/reads.ts';
import { isObject, type RawObject } from '../schema/fields.ts';
import { asSet, type FieldComparison } from './compare.ts';
import type { PutPlan } from './replace.ts';

/** The highest bit masks: all days, weeks and months (management API in practice, 9). */
const MASKS = { days: 254, weeksOfMonth: 62, months: 8190 } as const;

/**
 * Why the service would reject the fields; null when they are valid. Configurations are left to the service to check.
 */
export function validatePolicy({ name, type, schedule }: PolicyChange): string | null {
  if (name?.trim() === '') return 'a policy needs a name';
  if (type?.trim() === '') return 'a policy needs a type';
  for (const key of ['days', 'weeksOfMonth', 'months'] as const) {
    const mask = schedule?.[key] ?? 0;
    // The lowest bit is unused: the first day, week or month is 2.
    if (!Number.isInteger(mask) || mask < 0 || mask > MASKS[key] || mask % 2 === 1)
      return `the schedule’s ${key} is an even bit mask from 0 to ${MASKS[key]}`;
  }
  const time = schedule?.time ?? null;
  return time === null || /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? null : 'the schedule’s time is HH:MM';
}

/** The given fields as the service takes them. */
function toWirePolicy({ name, type, notes, schedule, groupIds, configuration }: PolicyChange): RawObject {
  const wire = {
    name,
    policy_type_name: type,
    notes,
    schedule_days: schedule?.days,
    schedule_weeks_of_month: schedule?.weeksOfMonth,
    schedule_months: schedule?.months,
    schedule_time: schedule?.time,
    server_groups: groupIds,
    configuration,
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined));
}

/** The same for a new policy, whose body names its organization too. */
export function toWireNewPolicy(policy: NewPolicy, organizationId: number): RawObject {
  return { organization_id: organizationId, ...toWirePolicy(policy) };
}

/**
 * Fields that the service shows but does not take: a body that holds one of them is answered with 500 (management API
 * in practice, 9; the list is that of a public client). All others are sent back, known here or not.
 */
const READ_ONLY = [
  'uuid',
  'policy_uuid',
  'create_time',
  'server_count',
  'status',
  'next_remediation',
  'account_id',
  'community_worklet_id',
  'community_worklet_uuid',
  'policy_template_id',
  'policy_template_uuid',
];

/** The full object with its `id`: without it the service takes it for another policy of the same name. */
export function policyPut(
  { read, raw }: WithRaw<Policy>,
  change: PolicyChange,
  query: { o: number },
): PutPlan {
  const keptFields = Object.fromEntries(Object.entries(raw).filter(([key]) => !READ_ONLY.includes(key)));
  const shown = raw['configuration'];
  if (!isObject(shown))
    return {
      kind: 'impossible',
      detail: 'the service does not show the configuration, so it could get lost',
    };
  const merged = { configuration: { ...shown, ...change.configuration } };
  return { kind: 'put', query, body: { ...keptFields, ...toWirePolicy(change), ...merged, id: read.id } };
}

/** How each field that the change sets is compared after the write (§4.10). */
export function policyFieldComparisons(
  change: PolicyChange,
): readonly FieldComparison<Policy, PolicyField>[] {
  const { name, type, notes, schedule, groupIds, configuration } = change;
  return [
    { field: 'name', key: 'name', wanted: name, read: ({ read }) => read.name },
    { field: 'type', key: 'policy_type_name', wanted: type, read: ({ read }) => read.type },
    { field: 'notes', key: 'notes', wanted: notes, read: ({ read }) => read.notes ?? '' },
    {
      field: 'schedule',
      key: 'schedule_days',
      wanted: schedule === undefined ? undefined : { ...schedule },
      read: ({ read }) => (schedule === undefined ? read.schedule : pickFieldsOf(read.schedule, schedule)),
    },
    {
      field: 'groupIds',
      key: 'server_groups',
      wanted: asSet(groupIds),
      read: ({ read }) => asSet(read.groupIds),
    },
    {
      field: 'configuration',
      key: 'configuration',
      wanted: configuration,
      read: ({ raw }) => configurationOf(raw, configuration),
    },
  ];
}

function configurationOf(raw: RawObject, expected: RawObject | undefined): unknown {
  const shown = raw['configuration'];
  return expected === undefined || !isObject(shown) ? shown : pickFieldsOf(shown, expected);
}

/** The fields of `thing` that `like` has too. */
function pickFieldsOf(thing: object, like: object): RawObject {
  return Object.fromEntries(Object.entries(thing).filter(([key]) => key in like));
}
