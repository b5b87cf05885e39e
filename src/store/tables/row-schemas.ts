/** Rows as the tables hold them: records whose structured fields are columns of JSON text. */

import { z } from 'zod';
import { instantField, organizationField, wholeNumber } from '../../lib/record-fields.ts';
import { alertRecord, auditRecord, WORK_KINDS } from '../port/records.ts';

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

/** A column of JSON text. */
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

export const alertRow = alertRecord.extend({ packages: jsonColumn(alertRecord.shape.packages) });

export const alerts = recordsOf(alertRow, 'notices', ({ id }: { readonly id: string }) => id);

/** With what its card has; numbers of PostgreSQL may come as text. */
const counted = z.coerce.number();
const heldBy = counted.nullable();
const shownAlertRow = alertRow.extend({ alerts: counted, devices: counted, acknowledged: counted, heldBy });
export const shownAlertRows = recordsOf(shownAlertRow, 'notices', ({ id }: { readonly id: string }) => id);

export const auditRow = auditRecord.extend({ detail: jsonColumn(auditRecord.shape.detail) });

export const workRow = z.object({
  organizationId: organizationField,
  kind: z.enum(WORK_KINDS),
  key: z.string(),
  dueAt: instantField,
  payload: jsonColumn(z.unknown()).nullable(),
  attempts: wholeNumber,
  leaseToken: z.string(),
});
