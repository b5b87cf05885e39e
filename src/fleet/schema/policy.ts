/**
 * Policies (§4.10) as they are listed, read by id, and carried by a device (`server_policies`). Their configuration
 * holds scripts and secrets: only a digest of it is read.
 */
import { groupId, type OrganizationId, organizationId, type PolicyId, policyId } from '../../ids.ts';
import type { Policy } from '../policy.ts';
import { digestOf } from './digest.ts';
import { id as idOf, number, part, type Raw, reference, references, text, time } from './fields.ts';
import { anotherId, type ReadRow, rowReader } from './rows.ts';

/** Reads the policies of the organization, or the one that was asked for. */
export function policyReader(asked: OrganizationId, askedPolicy?: PolicyId): ReadRow<Policy> {
  return rowReader({
    foreign: (raw, id) =>
      anotherId('organization', raw['organization_id'], asked) ?? anotherId('policy', id, askedPolicy),
    build: (raw, id) => build(raw, id, asked),
  });
}

/** A policy inside of something else; null where its id cannot be read. */
export function readPolicy(raw: Raw, asked: OrganizationId): Policy | null {
  const id = idOf(raw['id']);
  return id === null ? null : build(raw, id, asked);
}

function build(raw: Raw, id: number, asked: OrganizationId): Policy {
  return {
    id: policyId(id),
    uuid: text(raw['uuid']),
    organizationId: reference(raw['organization_id'], organizationId) ?? asked,
    name: text(raw['name']) ?? '',
    type: text(raw['policy_type_name']),
    notes: text(raw['notes']),
    status: text(raw['status']),
    nextRemediation: time(raw['next_remediation']),
    schedule: {
      days: number(raw['schedule_days']),
      weeksOfMonth: number(raw['schedule_weeks_of_month']),
      months: number(raw['schedule_months']),
      time: text(raw['schedule_time']),
    },
    digest: readDigest(raw),
    // On the live service these are ids, not objects.
    groupIds: references(raw['server_groups'], groupId),
    deviceCount: number(raw['server_count']),
    createTime: time(raw['create_time']),
  };
}

/** Over all that says what runs and when, as it was sent: `configuration`, `schedule_days`, `scheduled_timezone`. */
function readDigest(raw: Raw): string | null {
  if (part(raw['configuration']) === null) return null;
  const decisive = Object.entries(raw).filter(
    ([key]) => key === 'configuration' || key.startsWith('schedule'),
  );
  return digestOf(Object.fromEntries(decisive));
}
