/**
 * Policies (§4.10) as they are listed, read by id, and included in a device (`server_policies`). Their configuration
 * holds scripts and secrets, so only known settings and a digest of it are read.
 */
import { groupId, type OrganizationId, organizationId, type PolicyId, policyId } from '../../lib/ids.ts';
import type { DEVICE_TIME, Organization, Policy } from '../model/policy.ts';
import { jsonDigest } from './digest.ts';
import {
  asFlag,
  asInstant,
  asNumber,
  asObject,
  asObjects,
  asReference,
  asReferences,
  asText,
  asId as idOf,
  type RawObject,
} from './fields.ts';
import { readSettings, withoutSecretNotes } from './policy-settings.ts';
import { idMismatch, type RowReader, rowReader } from './rows.ts';

/** Reads the policies of the organization, or the one requested policy. */
export function policyReader(organization: OrganizationId, expectedPolicy?: PolicyId): RowReader<Policy> {
  return rowReader({
    mismatch: (raw, id) =>
      idMismatch('organization', raw['organization_id'], organization) ??
      idMismatch('policy', id, expectedPolicy),
    build: (raw, id) => buildPolicy(raw, id, organization),
  });
}

/** Reads a policy inside another resource; null when it has no readable id. */
export function readNestedPolicy(raw: RawObject, expected: OrganizationId): Policy | null {
  const id = idOf(raw['id']);
  return id === null ? null : buildPolicy(raw, id, expected);
}

function buildPolicy(raw: RawObject, id: number, expected: OrganizationId): Policy {
  return {
    id: policyId(id),
    uuid: asText(raw['uuid']),
    organizationId: asReference(raw['organization_id'], organizationId) ?? expected,
    name: asText(raw['name']) ?? '',
    type: asText(raw['policy_type_name']),
    notes: asText(raw['notes']),
    status: asText(raw['status']),
    nextRemediation: asInstant(raw['next_remediation']),
    schedule: {
      days: asNumber(raw['schedule_days']),
      weeksOfMonth: asNumber(raw['schedule_weeks_of_month']),
      months: asNumber(raw['schedule_months']),
      time: asText(raw['schedule_time']),
      timezone: readTimezone(raw),
    },
    settings: readSettings(asObject(raw['configuration']) ?? {}),
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

/**
 * Reads organizations (§4.10), without the agents' enrollment secret. None is foreign: the list has all that the key
 * sees.
 */
export function organizationReader(): RowReader<Organization> {
  return rowReader({ mismatch: () => null, build: buildOrganization });
}

function buildOrganization(raw: RawObject, id: number): Organization {
  return {
    id: organizationId(id),
    uuid: asText(raw['uuid']),
    name: asText(raw['name']) ?? '',
    tier: asText(raw['tier']),
    createTime: asInstant(raw['create_time']),
    parentId: asReference(raw['parent_id'], organizationId),
    deviceCount: asNumber(raw['device_count']),
    deviceLimit: asNumber(raw['device_limit']),
  };
}
