/** Statements over the rows of the session's own organization. */
import type {
  DeleteQueryBuilder,
  DeleteResult,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import type { Schema } from '../schema.ts';
import type { Session } from '../session.ts';

export function ownRows<T extends keyof Schema>(
  session: Session,
  table: T,
): SelectQueryBuilder<Schema, T, object>;
export function ownRows({ db, organizationId }: Session, table: keyof Schema) {
  return db().selectFrom(table).where('organizationId', '=', organizationId);
}

export function updateOwn<T extends keyof Schema>(
  session: Session,
  table: T,
): UpdateQueryBuilder<Schema, T, T, UpdateResult>;
export function updateOwn({ db, organizationId }: Session, table: keyof Schema) {
  return db().updateTable(table).where('organizationId', '=', organizationId);
}

export function deleteOwn<T extends keyof Schema>(
  session: Session,
  table: T,
): DeleteQueryBuilder<Schema, T, DeleteResult>;
export function deleteOwn({ db, organizationId }: Session, table: keyof Schema) {
  return db().deleteFrom(table).where('organizationId', '=', organizationId);
}

/** Runs an update of at most one row; whether the row was there. */
export async function updatesOne(query: {
  readonly executeTakeFirstOrThrow: () => Promise<UpdateResult>;
}): Promise<boolean> {
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}
