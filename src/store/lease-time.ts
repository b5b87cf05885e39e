/**
 * The time for leases: the database's time on PostgreSQL, which all replicas share, and this process's monotonic time
 * on SQLite, where one process owns the file. A clock that is set, skewed or moved shifts no lease.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Session } from './session.ts';

/** The lease time in milliseconds, as part of a statement: all parts of one statement see the same time. */
export function leaseNow({ engine, leaseTime }: Pick<Session, 'engine' | 'leaseTime'>): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${Math.round(leaseTime())}`;
}

/** The lease time plus `ms` milliseconds. */
export function leaseEnd(session: Pick<Session, 'engine' | 'leaseTime'>, ms: number): RawBuilder<number> {
  return sql<number>`${leaseNow(session)} + ${Math.round(ms)}`;
}
