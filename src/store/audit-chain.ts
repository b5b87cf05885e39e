/** How audit entries are chained: each hash covers the previous one, so that any change shows. */
import { createHash } from 'node:crypto';
import type { OrganizationId } from '../lib/ids.ts';
import type { AuditEntry, AuditRecord } from './port/records.ts';

/** The hash before the first entry. */
export const CHAIN_START = '';

/** SHA-256 over the previous hash and the entry in canonical form. */
export function chainHash(
  previous: string,
  organization: OrganizationId,
  entry: AuditEntry & { readonly sequence: number },
): string {
  const detail = Object.entries(entry.detail).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const canonical = [
    previous,
    organization,
    entry.sequence,
    entry.at,
    entry.actor,
    entry.action,
    entry.subject,
    detail,
  ];
  return createHash('sha256').update(JSON.stringify(canonical)).digest('hex');
}

/** The first record that does not follow from the one before it, or null when all do. */
export function firstBrokenRecord(
  records: readonly AuditRecord[],
  organization: OrganizationId,
  after: Pick<AuditRecord, 'sequence' | 'hash'> = { sequence: 0, hash: CHAIN_START },
): AuditRecord | null {
  let previous = after;
  for (const record of records) {
    const follows =
      record.sequence === previous.sequence + 1 &&
      record.hash === chainHash(previous.hash, organization, record);
    if (!follows) return record;
    previous = record;
  }
  return null;
}
