/**
 * Policies (§4.10) as they are listed, read by id, and included in a device (`server_policies`). Their configuration
 * holds scripts and secrets, so only known settings and a digest of it are read.
 */
import { createHash } from 'node:crypto';
import { groupId, type OrganizationId, organizationId, type PolicyId, policyId } from '../../lib/ids.ts';
import { writeJson } from '../../lib/json.ts';
import type { Unchanging } from '../../lib/record-fields.ts';
import type { DEVICE_TIME, PolicySettingName, PolicySettings, SettingValue } from '../model/policy.ts';
import {
  asFlag,
  asInstant,
  asNumber,
  asObject,
  asObjects,
  asReferences,
  asText,
  idMismatch,
  asId as idOf,
  type RawObject,
  type RowReader,
  rowReader,
} from './rows.ts';

/** Reads the policies of the organization, or the one requested policy. */
export function policyReader(organization: OrganizationId, expectedPolicy?: PolicyId): RowReader<Policy> {
  return rowReader({
    mismatch: (raw, id) =>
      idMismatch('organization', raw['organization_id'], organization) ??
      idMismatch('policy', id, expectedPolicy),
    build: buildPolicy,
  });
}

/** Reads a policy inside another resource; null when it has no readable id. */
export function readNestedPolicy(raw: RawObject) {
  const id = idOf(raw['id']);
  return id === null ? null : buildPolicy(raw, id);
}

export interface Policy extends Unchanging<ReturnType<typeof buildPolicy>> {}

function buildPolicy(raw: RawObject, id: number) {
  return {
    id: policyId(id),
    name: asText(raw['name']) ?? '',
    /** `patch`, `custom` (a Worklet), `required_software`, or a newer word. */
    type: asText(raw['policy_type_name']),
    notes: asText(raw['notes']),
    status: asText(raw['status']),
    /** Unreliable on the live service. */
    nextRemediation: asInstant(raw['next_remediation']),
    /** Bit masks as sent: days Monday = 2 … Sunday = 128, weeks and months alike; `time` is `HH:MM`. */
    schedule: {
      days: asNumber(raw['schedule_days']),
      weeksOfMonth: asNumber(raw['schedule_weeks_of_month']),
      months: asNumber(raw['schedule_months']),
      time: asText(raw['schedule_time']),
      /** Whose clock it follows: `DEVICE_TIME` or an offset such as `UTC+0100`; null where that is not stated. */
      timezone: readTimezone(raw),
    },
    settings: readSettings(asObject(raw['configuration']) ?? {}),
    /** Changes with the configuration and the schedule; null where the service does not show the configuration. */
    digest: readDigest(raw),
    selectsByTag: readSelectsByTag(asObject(raw['configuration']) ?? {}),
    // On the live service these are ids, not objects.
    groupIds: asReferences(raw['server_groups'], groupId),
    deviceCount: asNumber(raw['server_count']),
    createTime: asInstant(raw['create_time']),
  };
}

const DEVICE: typeof DEVICE_TIME = 'device';

/** Some rows have it only in their configuration (seen live: terraform-provider-automox, policy/state.go, 2026). */
function readTimezone(raw: RawObject): string | null {
  const mirror = asObject(raw['configuration']) ?? {};
  const fixed = asFlag(raw['use_scheduled_timezone']) ?? asFlag(mirror['use_scheduled_timezone']);
  if (fixed === null) return null;
  return fixed ? (asText(raw['scheduled_timezone']) ?? asText(mirror['scheduled_timezone'])) : DEVICE;
}

/**
 * Covers everything that says what runs and when, as sent: `configuration`, `schedule_days`, `scheduled_timezone`,
 * `use_scheduled_timezone`. A secret that another policy begins to share is no change of this one. Null only where the
 * service does not show the configuration.
 */
function readDigest(raw: RawObject): string | null {
  const configuration = asObject(raw['configuration']);
  if (configuration === null) return null;
  const schedule = Object.entries(raw).filter(([key]) => /^(use_)?schedule/.test(key));
  return jsonDigest({ ...Object.fromEntries(schedule), configuration: withoutSecretNotes(configuration) });
}

/** Filters have the form of the preview's (§2.9); without their switch the live service ignores them. */
function readSelectsByTag({ device_filters_enabled: isOn, device_filters: filters }: RawObject): boolean {
  return asFlag(isOn) === true && asObjects(filters, ({ field }) => asText(field)).includes('tag');
}

/** Without the agents' enrollment secret (§4.10). None is foreign: the list has all that the key sees. */
export function organizationReader(): RowReader<Organization> {
  return rowReader({ mismatch: () => null, build: buildOrganization });
}

/** The enrollment secret that the service sends with it is removed before anything else sees it. */
export type Organization = Readonly<ReturnType<typeof buildOrganization>>;

function buildOrganization(raw: RawObject, id: number) {
  return {
    id: organizationId(id),
    name: asText(raw['name']) ?? '',
    tier: asText(raw['tier']),
    createTime: asInstant(raw['create_time']),
    deviceCount: asNumber(raw['device_count']),
    deviceLimit: asNumber(raw['device_limit']),
  };
}

/** The known settings in a policy's configuration: their names there, and how they are read. Everything else stays unread. */
const SETTINGS: Readonly<
  Record<PolicySettingName, readonly [wire: string, read: (value: unknown) => SettingValue | null]>
> = {
  autoReboot: ['auto_reboot', asFlag],
  notifyPatch: ['notify_user', asFlag],
  notifyReboot: ['notify_reboot_user', asFlag],
  notifyPending: ['notify_deferred_reboot_user', asFlag],
  deferrals: ['custom_notification_max_delays', asNumber],
  deferralHours: ['custom_notification_deferment_periods', asHours],
  pendingDeferrals: ['custom_pending_reboot_notification_max_delays', asNumber],
  pendingDeferralHours: ['custom_pending_reboot_notification_deferment_periods', asHours],
  timeout: ['notify_user_message_timeout', asNumber],
  pendingTimeout: ['notify_deferred_reboot_user_message_timeout', asNumber],
  patchText: ['custom_notification_patch_message', asText],
  patchTextMac: ['custom_notification_patch_message_mac', asText],
  rebootText: ['custom_notification_reboot_message', asText],
  rebootTextMac: ['custom_notification_reboot_message_mac', asText],
  pendingText: ['custom_pending_reboot_notification_message', asText],
  pendingTextMac: ['custom_pending_reboot_notification_message_mac', asText],
};

function asHours(value: unknown): readonly number[] | null {
  const hours = Array.isArray(value) ? value.map(asNumber) : [null];
  return hours.every((one) => one !== null) ? hours : null;
}

export function settingWireName(name: PolicySettingName): string {
  return SETTINGS[name][0];
}

function readSettings(configuration: RawObject): PolicySettings {
  const read = Object.entries(SETTINGS).flatMap(([name, [wire, readValue]]) => {
    const value = readValue(configuration[wire]);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(read);
}

/** Fields of the policy that some configurations hold as well. */
export const ZONE_FIELDS = ['use_scheduled_timezone', 'scheduled_timezone'] as const;

const WIRE_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(SETTINGS).map(([wire]) => wire),
  ...ZONE_FIELDS,
]);

/** The rest of the configuration: scripts, filters and whatever is not known here. */
export function otherSettings(configuration: RawObject): RawObject {
  const rest = Object.entries(configuration).filter(([key]) => !WIRE_NAMES.has(key));
  return withoutSecretNotes(Object.fromEntries(rest));
}

/** How many policies share the secret, and a free text: both change while the policy stays the same. */
const SECRET_NOTES = ['numPolicies', 'description'];

/**
 * The configuration without what it tells about its shared secrets besides their names and ids (seen live:
 * terraform-provider-automox, policy/state.go, 2026).
 */
function withoutSecretNotes(configuration: RawObject): RawObject {
  const secrets = asObject(configuration['secrets']);
  if (secrets === null) return configuration;
  const bound = Object.entries(secrets).map(([name, value]) => {
    const fields = Object.entries(asObject(value) ?? {}).filter(([key]) => !SECRET_NOTES.includes(key));
    return [name, asObject(value) === null ? value : Object.fromEntries(fields)];
  });
  return { ...configuration, secrets: Object.fromEntries(bound) };
}

/**
 * The digest of a JSON value of any depth, whatever the order of its keys. Lists keep their order, which may say what
 * runs first. Whole: whoever writes both versions could find two that share a part of it.
 */
export function jsonDigest(value: unknown): string {
  const hash = createHash('sha256');
  writeJson(value, (text) => hash.update(text), { sorted: true });
  return hash.digest('hex');
}
