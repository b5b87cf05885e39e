/** What every table shares: whose a record is, statements in parts, numbers that people type. */
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

/** A number that no row of this organization has had, counted from 1. Two at once meet at the table's key: one goes again. */
export async function nextNumber(session: Session, table: 'subscriptions' | 'silences'): Promise<number> {
  const { last } = await session
    .db()
    .selectFrom(table)
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('organizationId', '=', session.organizationId)
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}
