/** Server groups (§2.1) as they are listed. */
import { z } from 'zod';
import { groupId, type OrganizationId, policyId } from '../../ids.ts';
import type { Group } from '../model.ts';
import type { Fields } from './fields.ts';
import { another, bothReadings, type ReadRow, rowReader } from './rows.ts';

const shape = (f: Fields) =>
  z.object({
    id: f.id,
    organization_id: f.reference,
    name: f.text,
    parent_server_group_id: f.reference,
    policies: f.references,
  });
type Wire = z.infer<ReturnType<typeof shape>>;

const read = bothReadings(shape);

/** Reads the groups of the organization. */
export function groupReader(organizationId: OrganizationId): ReadRow<Group> {
  return rowReader(read, (wire) => another('organization', wire.organization_id, organizationId), build);
}

function build(wire: Wire): Group {
  return {
    id: groupId(wire.id),
    name: wire.name ?? '',
    parentId: wire.parent_server_group_id === null ? null : groupId(wire.parent_server_group_id),
    policyIds: (wire.policies ?? []).map(policyId),
  };
}
