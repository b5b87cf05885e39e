/** The fields of a policy (§4.10): how they are checked, sent and compared. Pure. */
import type { Dialect } from '../dialect.ts';
import type { ChangeFault, NewPolicy, PolicyChange, PolicyField } from '../model/changes.ts';
import { SEVERITIES } from '../model/derived-fields.ts';
import {
  allBits,
  DAYS,
  DEVICE_TIME,
  isMask,
  MONTHS,
  POLICY_SETTING_NAMES,
  type PolicySettingName,
  type SettingValue,
  settingFault,
  WEEKS,
} from '../model/policy.ts';
import type { Policy } from '../model/resources.ts';
import type { WithRaw } from '../reads/reads.ts';
import { jsonDigest, otherSettings, settingWireName, ZONE_FIELDS } from '../schema/policy.ts';
import { asObject, isObject, type RawObject } from '../schema/rows.ts';
import { asSet, type FieldComparison, type PutPlan } from './send.ts';

const OFFSET = /^UTC[+-](0\d|1[0-4])[0-5]\d$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** The fields that the service would not take, each with what it would. */
export function policyFieldFaults(
  change: PolicyChange & Partial<NewPolicy>,
  dialect: Pick<Dialect, 'policyTimezones'>,
): readonly { readonly field: PolicyField; readonly expected: string }[] {
  const { name, days, weeksOfMonth, months, time, timezone, severities } = change;
  const rules: readonly (readonly [PolicyField, boolean, string])[] = [
    ['name', name?.trim() === '', 'a name that isn’t blank'],
    ['days', days !== undefined && !isMask(days, DAYS), 'days of the week'],
    ['weeksOfMonth', weeksOfMonth !== undefined && !isMask(weeksOfMonth, WEEKS), 'weeks of the month'],
    ['months', months !== undefined && !isMask(months, MONTHS), 'months of the year'],
    ['time', time !== undefined && !TIME.test(time), 'a time such as 02:00'],
    [
      'timezone',
      timezone !== undefined && timezone !== DEVICE_TIME && !OFFSET.test(timezone),
      'device, or an offset such as UTC+0100',
    ],
    [
      'timezone',
      timezone !== undefined && !dialect.policyTimezones,
      'no time zone: the management service has none for policies',
    ],
    [
      'severities',
      severities?.some((one) => !SEVERITIES.some((known) => known === one)) === true,
      `some of ${SEVERITIES.join(', ')}`,
    ],
  ];
  const faults = rules.flatMap(([field, isWrong, expected]) => (isWrong ? [{ field, expected }] : []));
  const settings = givenSettings(change).flatMap(([field, value]) => {
    const expected = settingFault(field, value);
    return expected === null ? [] : [{ field, expected }];
  });
  return [...faults, ...settings];
}

/** Why the service would reject the fields; null when they are valid. */
export function validatePolicy(
  change: PolicyChange,
  dialect: Pick<Dialect, 'policyTimezones'>,
): ChangeFault | null {
  const [first] = policyFieldFaults(change, dialect);
  return first === undefined ? null : { kind: 'policy-field', field: first.field };
}

function givenSettings({
  settings = {},
}: PolicyChange): readonly (readonly [PolicySettingName, SettingValue])[] {
  return POLICY_SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** The fields of the change as the service takes them, without its configuration. */
function toWirePolicy(change: PolicyChange): RawObject {
  const { name, notes, days, weeksOfMonth, months, time, timezone, groupIds } = change;
  const wire = {
    name,
    notes,
    schedule_days: days,
    schedule_weeks_of_month: weeksOfMonth,
    schedule_months: months,
    schedule_time: time,
    use_scheduled_timezone: timezone === undefined ? undefined : timezone !== DEVICE_TIME,
    scheduled_timezone: timezone === DEVICE_TIME ? undefined : timezone,
    server_groups: groupIds,
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined));
}

function toWireSettings(change: PolicyChange): RawObject {
  return Object.fromEntries(givenSettings(change).map(([name, value]) => [settingWireName(name), value]));
}

/** Everything that the service requires of a new policy ("management API in practice", SPEC25), said or not. */
export function toWireNewPolicy(
  policy: NewPolicy,
  organizationId: number,
  dialect: Pick<Dialect, 'policyTimezones'>,
): RawObject {
  return {
    organization_id: organizationId,
    policy_type_name: 'patch',
    notes: '',
    schedule_days: 0,
    schedule_weeks_of_month: allBits(WEEKS),
    schedule_months: allBits(MONTHS),
    schedule_time: '00:00',
    ...(dialect.policyTimezones ? { use_scheduled_timezone: false } : {}),
    server_groups: [],
    ...toWirePolicy(policy),
    configuration: {
      ...toWireRule(policy.severities),
      auto_patch: true,
      auto_reboot: false,
      notify_user: false,
      ...toWireSettings(policy),
    },
  };
}

/** `filter_type` is required of every patch policy ("management API in practice" 9). */
function toWireRule(severities: readonly string[]): RawObject {
  return severities.length === 0
    ? { patch_rule: 'all', filter_type: 'all' }
    : { patch_rule: 'filter', filter_type: 'severity', severity_filter: severities };
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
      fault: { kind: 'not-shown', what: 'policy-configuration' },
    };
  const wire = toWirePolicy(change);
  const configuration = { ...shown, ...mirroredIn(shown, wire), ...toWireSettings(change) };
  // A policy without groups is shown with null, which is not taken.
  const groups = keptFields['server_groups'] === null ? { server_groups: [] } : {};
  return { kind: 'put', query, body: { ...keptFields, ...groups, ...wire, configuration, id: read.id } };
}

/** Fields of a policy that some configurations hold as well (see `src/fleet/schema/policy.ts`): both get the new value. */
function mirroredIn(configuration: RawObject, wire: RawObject): RawObject {
  return Object.fromEntries(
    ZONE_FIELDS.flatMap((key) => (key in configuration && key in wire ? [[key, wire[key]] as const] : [])),
  );
}

/** How each field that the change sets is compared after the write (§4.10). */
export function policyFieldComparisons(
  change: PolicyChange & Partial<NewPolicy>,
): readonly FieldComparison<Policy, PolicyField>[] {
  const { name, notes, days, weeksOfMonth, months, time, timezone, groupIds, severities } = change;
  return [
    { field: 'name', key: 'name', wanted: name, read: ({ read }) => read.name },
    { field: 'notes', key: 'notes', wanted: notes, read: ({ read }) => read.notes ?? '' },
    { field: 'days', key: 'schedule_days', wanted: days, read: ({ read }) => read.schedule.days },
    {
      field: 'weeksOfMonth',
      key: 'schedule_weeks_of_month',
      wanted: weeksOfMonth,
      read: ({ read }) => read.schedule.weeksOfMonth,
    },
    { field: 'months', key: 'schedule_months', wanted: months, read: ({ read }) => read.schedule.months },
    { field: 'time', key: 'schedule_time', wanted: time, read: ({ read }) => read.schedule.time },
    {
      field: 'timezone',
      // Some rows have it only there.
      key: 'configuration',
      wanted: timezone,
      read: ({ read }) => read.schedule.timezone,
      shown: ({ read }) => read.schedule.timezone !== null,
    },
    {
      field: 'groupIds',
      key: 'server_groups',
      wanted: asSet(groupIds),
      read: ({ read }) => asSet(read.groupIds),
    },
    {
      field: 'severities',
      key: 'configuration',
      wanted: severities === undefined ? undefined : asSet(severities),
      read: ({ raw }) => severitiesOf(raw),
      shown: () => severities !== undefined,
    },
    {
      field: 'configuration',
      key: 'configuration',
      wanted: undefined,
      // By digest: it may be nested deeper than a comparison of objects can go.
      read: ({ raw }) => jsonDigest(otherSettings(asObject(raw['configuration']) ?? {})),
    },
    ...POLICY_SETTING_NAMES.map(
      (field): FieldComparison<Policy, PolicyField> => ({
        field,
        key: 'configuration',
        wanted: inOrder(change.settings?.[field]),
        read: ({ read }) => inOrder(read.settings[field]),
        shown: ({ read }) => read.settings[field] !== undefined,
      }),
    ),
  ];
}

/** Periods are a choice: their order says nothing. */
function inOrder(value: SettingValue | undefined): SettingValue | undefined {
  return typeof value === 'object' ? value.toSorted((a, b) => a - b) : value;
}

/** The severities that the policy is limited to; empty: it installs everything. */
function severitiesOf(raw: RawObject): unknown {
  const shown = raw['configuration'];
  if (!isObject(shown) || shown['patch_rule'] === 'all') return [];
  const list = shown['severity_filter'];
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? asSet(list) : list;
}
