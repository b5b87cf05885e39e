/**
 * Policies (§4.10) as they are listed, read by id, and carried by a device (`server_policies`). Their configuration
 * holds scripts and secrets, so it has no place in the shape and ends here.
 */
import { z } from 'zod';
import { groupId, type OrganizationId, organizationId, type PolicyId, policyId } from '../../ids.ts';
import type { Policy } from '../policy.ts';
import { parseInstant } from '../time.ts';
import type { Fields } from './fields.ts';
import { another, bothReadings, type ReadRow, rowReader } from './rows.ts';

/** Also read as a part of a device. */
export const policyShape = (f: Fields) =>
  z.object({
    id: f.id,
    uuid: f.text,
    organization_id: f.reference,
    name: f.text,
    policy_type_name: f.text,
    notes: f.text,
    status: f.text,
    next_remediation: f.text,
    schedule_days: f.number,
    schedule_weeks_of_month: f.number,
    schedule_months: f.number,
    schedule_time: f.text,
    server_groups: f.references,
    server_count: f.number,
    create_time: f.text,
  });
export type PolicyWire = z.infer<ReturnType<typeof policyShape>>;

const read = bothReadings(policyShape);

/** Reads the policies of the organization, or the one that was asked for. */
export function policyReader(asked: OrganizationId, askedPolicy?: PolicyId): ReadRow<Policy> {
  const foreign = (wire: PolicyWire) =>
    another('organization', wire.organization_id, asked) ?? another('policy', wire.id, askedPolicy);
  return rowReader(read, foreign, (wire) => buildPolicy(wire, asked));
}

export function buildPolicy(wire: PolicyWire, asked: OrganizationId): Policy {
  return {
    id: policyId(wire.id),
    uuid: wire.uuid,
    organizationId: organizationId(wire.organization_id ?? asked),
    name: wire.name ?? '',
    type: wire.policy_type_name,
    notes: wire.notes,
    status: wire.status,
    nextRemediation: parseInstant(wire.next_remediation),
    schedule: {
      days: wire.schedule_days,
      weeksOfMonth: wire.schedule_weeks_of_month,
      months: wire.schedule_months,
      time: wire.schedule_time,
    },
    groupIds: (wire.server_groups ?? []).map(groupId),
    deviceCount: wire.server_count,
    createTime: parseInstant(wire.create_time),
  };
}
