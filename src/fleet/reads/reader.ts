/** The reads of the management service, put together. */
import type { OrganizationId } from '../../lib/ids.ts';
import type { Dialect } from '../dialect.ts';
import type { FleetReader } from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import { deviceReads } from './devices.ts';
import { eventReads } from './events.ts';
import { groupReads } from './groups.ts';
import { policyReads } from './policies.ts';
import { previewReads } from './preview.ts';
import { createReads } from './reads.ts';

/**
 * Reads of one organization. `o` is always sent: without it, a key of several organizations falls back to another one
 * (§5).
 */
export function createFleetReader(
  calls: Calls,
  organizationId: OrganizationId,
  dialect: Dialect,
): FleetReader {
  const reads = createReads(calls);
  return {
    ...deviceReads(reads, organizationId),
    ...previewReads(reads, organizationId, dialect),
    ...eventReads(reads, organizationId),
    ...groupReads(reads, organizationId),
    ...policyReads(reads, organizationId),
  };
}
