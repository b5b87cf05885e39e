/** Shared by the tables: the check of the organization, statements in parts, and numbers that people type. */
import type { OrganizationId } from '../../lib/ids.ts';
import type { NumberedKind } from '../schema.ts';
import type { Session } from '../session.ts';

/** Returns the record if it belongs to the store's organization; throws otherwise. */
export function checkOwned<R extends { readonly organizationId: OrganizationId }>(
  session: Session,
  record: R,
): R {
  if (record.organizationId !== session.organizationId)
    throw new Error(
      `a record of organization ${record.organizationId} in the store of organization ${session.organizationId}`,
    );
  return record;
}

/** The next number of a kind, counted from 1. Other callers wait until this transaction ends. */
export async function nextNumber(session: Session, what: NumberedKind): Promise<number> {
  const { last } = await session
    .db()
    .insertInto('numbers')
    .values({ organizationId: session.organizationId, what, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'what']).doUpdateSet((expression) => ({
        last: expression('numbers.last', '+', 1),
      })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}
