/** Ways to plant one violation in the clean world. */
import { CLEAN, chained, write } from './clean-world.ts';
import type {
  Evidence,
  LoggedEvent,
  RecordedRequest,
  TableRow,
  TableRows,
  VisibleMessage,
} from './evidence.ts';

/** What is planted, the rule that finds it, and the world with it. */
export type Planted = readonly (readonly [what: string, rule: string, evidence: Evidence])[];

export const tables = (more: Partial<TableRows>): Evidence => ({
  ...CLEAN,
  tables: { ...CLEAN.tables, ...more },
});
export const withMessage = (one: VisibleMessage): Evidence => ({
  ...CLEAN,
  messages: [...CLEAN.messages, one],
});
export const withEvent = (one: LoggedEvent): Evidence => ({ ...CLEAN, events: [...CLEAN.events, one] });
export const withRequest = (one: RecordedRequest): Evidence => ({
  ...CLEAN,
  requests: [...CLEAN.requests, one],
});

/** A table, with some of its rows changed. */
export function changed(
  table: keyof TableRows,
  where: (row: TableRow) => boolean,
  change: TableRow,
): Evidence {
  return tables({ [table]: CLEAN.tables[table].map((row) => (where(row) ? { ...row, ...change } : row)) });
}
/** The messages, with that of this key changed. */
export function edited(key: string, change: Partial<VisibleMessage>): Evidence {
  return {
    ...CLEAN,
    messages: CLEAN.messages.map((one) => (one.key === key ? { ...one, ...change } : one)),
  };
}
/** A command that is sent after everything in the clean world. */
export const another = (
  device: number,
  type: string,
  more: Partial<RecordedRequest> = {},
): RecordedRequest => ({
  ...write(device, type, 18),
  ...more,
});

export const id = (value: string) => (row: TableRow) => row['id'] === value;
export const ofRequest = (value: string) => (row: TableRow) => row['request_id'] === value;

/** The audit with one entry changed, or one more after those of this action; its chain is whole. */
export function audited(action: string, change: TableRow, isMore = false): Evidence {
  const entries = CLEAN.tables.audit.flatMap((row): readonly TableRow[] => {
    const { hash: _, sequence: __, ...entry } = row;
    const given = { ...entry, detail: JSON.parse(String(row['detail'])) };
    if (row['action'] !== action) return [given];
    const changed = { ...given, ...change };
    return isMore ? [given, changed] : [changed];
  });
  return tables(chained(entries));
}
