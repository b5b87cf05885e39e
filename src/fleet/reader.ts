/** The reads of the management service, put together from `reads/`. */
import type { OrganizationId } from '../ids.ts';
import type { Calls } from './calls.ts';
import type { Dialect } from './dialect.ts';
import type { FleetReader } from './fleet.ts';
import { deviceReads } from './reads/devices.ts';
import { eventReads } from './reads/events.ts';
import { groupReads } from './reads/groups.ts';
import { policyReads } from './reads/policies.ts';
import { previewReads } from './reads/preview.ts';
import { createReads } from './reads/reads.ts';

/** Reads of one organization. `o` is always sent: without it a key of several falls back to another (§5). */
export function createReader(calls: Calls, organizationId: OrganizationId, dialect: Dialect): FleetReader {
  const reads = createReads(calls);
  return {
    ...deviceReads(reads, organizationId),
    ...previewReads(reads, organizationId, dialect),
    ...eventReads(reads, organizationId),
    ...groupReads(reads, organizationId),
    ...policyReads(reads, organizationId),
  };
}
