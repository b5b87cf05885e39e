/** What every table shares: whose a record is, statements in parts, numbers that people type. */
import type { OrganizationId } from '../../lib/ids.ts';
import type { NumberedKind } from '../schema.ts';
import type { Session } from '../session.ts';

/** The record itself, which must be of the organization that the store was opened for. */
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

/** The next number of what people name by numbers, counted from 1. Others wait for it until this transaction ends. */
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
