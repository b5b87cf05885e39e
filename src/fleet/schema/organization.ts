/** Organizations (§4.10) as they are sent: every one that the key sees. */
import { z } from 'zod';
import { organizationId } from '../../ids.ts';
import type { Organization } from '../policy.ts';
import { parseInstant } from '../time.ts';
import type { Fields } from './fields.ts';
import { bothReadings, type ReadRow, rowReader } from './rows.ts';

const shape = (f: Fields) =>
  z.object({
    id: f.id,
    uuid: f.text,
    name: f.text,
    tier: f.text,
    create_time: f.text,
    parent_id: f.reference,
    device_count: f.number,
    device_limit: f.number,
  });
type Wire = z.infer<ReturnType<typeof shape>>;

const read = bothReadings(shape);

/** Reads organizations. None is foreign: the list is of all that the key sees. */
export function organizationReader(): ReadRow<Organization> {
  return rowReader(read, () => null, build);
}

function build(wire: Wire): Organization {
  return {
    id: organizationId(wire.id),
    uuid: wire.uuid,
    name: wire.name ?? '',
    tier: wire.tier,
    createTime: parseInstant(wire.create_time),
    parentId: wire.parent_id === null ? null : organizationId(wire.parent_id),
    deviceCount: wire.device_count,
    deviceLimit: wire.device_limit,
  };
}
