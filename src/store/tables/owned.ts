import type { OrganizationId } from '../../ids.ts';
import type { Session } from '../session.ts';

/** The record itself, which must be of the organization that the store was opened for. */
export function ownedBy<R extends { readonly organizationId: OrganizationId }>(
  session: Session,
  record: R,
): R {
  if (record.organizationId !== session.organizationId)
    throw new Error(
      `a record of organization ${record.organizationId} in the store of organization ${session.organizationId}`,
    );
  return record;
}

/** `items` in parts of at most `size`: both engines cap the parameters of a statement (SQLite at 32,766). */
export function* partsOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
