/** What the tables share: statements over the rows of the session's own organization, and rows that are checked as they are read. */
import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import { z } from 'zod';
import { deviceId, type OrganizationId } from '../../lib/ids.ts';
import { deviceField, instantField } from '../../lib/record-fields.ts';
import { rolloutSchema } from '../../rollout/progress.ts';
import { requestRecord, requestTarget } from '../port/request-records.ts';
import { auditRecord } from '../port/store.ts';
import { workRecord } from '../port/work-records.ts';
import type { NumberedKind, Schema } from '../schema.ts';
import type { Session } from '../session.ts';

export function ownRows<T extends keyof Schema>(
  session: Session,
  table: T,
): SelectQueryBuilder<Schema, T, object>;
export function ownRows({ db, organizationId }: Session, table: keyof Schema) {
  return db().selectFrom(table).where('organizationId', '=', organizationId);
}

/** A row as it is inserted, without its organization. */
type NewRow<T extends keyof Schema> = Omit<InsertObject<Schema, T>, 'organizationId'>;

export function insertOwn<T extends keyof Schema>(
  session: Session,
  table: T,
  rows: NewRow<T> | readonly NewRow<T>[],
): InsertQueryBuilder<Schema, T, InsertResult>;
export function insertOwn({ db, organizationId }: Session, table: keyof Schema, rows: object | object[]) {
  return db()
    .insertInto(table)
    .values([rows].flat().map((row) => ({ ...row, organizationId })));
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

/** Runs an insertion of one row that may be in conflict; whether it was inserted. */
export async function insertsOne(query: {
  readonly executeTakeFirstOrThrow: () => Promise<InsertResult>;
}): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await query.executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Runs an update of at most one row; whether the row was there. */
export async function updatesOne(query: {
  readonly executeTakeFirstOrThrow: () => Promise<UpdateResult>;
}): Promise<boolean> {
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** A row that can't be trusted. The message names the row, never its contents. */
export class InvalidRecord extends Error {
  constructor(table: string, id: string | number, problem: string) {
    super(`bad record in table ${table}, id ${id}: ${problem}`);
    this.name = 'BadRecord';
  }
}

/** Reads the record in `row`, or throws {@link InvalidRecord}. */
export function readRow<T>(schema: z.ZodType<T>, table: string, id: string | number, row: unknown): T {
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new InvalidRecord(table, id, problems.slice(0, 3).join('; '));
}

type RowQuery<Row> = {
  readonly execute: () => Promise<readonly Row[]>;
  readonly executeTakeFirst: () => Promise<Row | undefined>;
};

/** Runs queries of a table and checks what they find; `nameOf` tells which row can't be trusted. */
export function recordsOf<T, Row>(
  schema: z.ZodType<T>,
  table: string,
  nameOf: (row: Row) => string | number,
) {
  const read = (row: Row): T => readRow(schema, table, nameOf(row), row);
  return {
    /** The one that the query finds; null where there is none. */
    first: async (query: RowQuery<Row>): Promise<T | null> => {
      const row = await query.executeTakeFirst();
      return row === undefined ? null : read(row);
    },
    all: async (query: RowQuery<Row>): Promise<readonly T[]> => (await query.execute()).map(read),
  };
}

export function jsonColumn<T extends z.ZodType>(schema: T) {
  const text = z.string().transform((json, context): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      context.issues.push({ code: 'custom', message: 'not JSON', input: undefined });
      return z.NEVER;
    }
  });
  return text.pipe(schema);
}

export const auditRow = auditRecord.extend({ detail: jsonColumn(auditRecord.shape.detail) });

export const workRow = workRecord.extend({
  payload: jsonColumn(z.unknown()).nullable(),
  leaseToken: z.string(),
});

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
  const { last } = await insertOwn(session, 'numbers', { what, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'what']).doUpdateSet((expression) => ({
        last: expression('numbers.last', '+', 1),
      })),
    )
    .returning('last')
    .executeTakeFirstOrThrow();
  return last;
}

/** The rollout of a request, as its own column holds it. */
export const rolloutColumn = jsonColumn(rolloutSchema);

const { action, note, counts, rules } = requestRecord.shape;
export const requestRow = requestRecord.extend({
  action: jsonColumn(action),
  note: jsonColumn(note.unwrap()).nullable(),
  rollout: rolloutColumn.nullable(),
  rules: jsonColumn(rules),
  typedCount: z.literal([0, 1]).transform((typed) => typed === 1),
  counts: jsonColumn(counts),
});

/** Replaces null in the key of a target, where nothing may be null: the service numbers devices from 1. */
export const NO_DEVICE = deviceId(0);

const { facts, before, evidence } = requestTarget.shape;
export const requestTargetRow = requestTarget.extend({
  deviceId: deviceField.transform((id) => (id === NO_DEVICE ? null : id)),
  facts: jsonColumn(facts),
  before: jsonColumn(before),
  evidence: jsonColumn(evidence),
});

export const endedTargetRow = z.object({ deviceId: deviceField, endedAt: instantField });

/** For an insertion of rows that may be there: these columns become those of the new row. */
export function replaced<Column extends string>(
  columns: readonly Column[],
): Readonly<Record<string, RawBuilder<never>>> {
  return Object.fromEntries(columns.map((column) => [column, sql<never>`${sql.ref(`excluded.${column}`)}`]));
}
