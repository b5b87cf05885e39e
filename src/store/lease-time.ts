/**
 * The time by which leases run: the database's on PostgreSQL, which all replicas share, and this process's own monotonic
 * time on SQLite, whose file one process has to itself. A clock that is set, skewed or moved shifts no lease.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Session } from './session.ts';

/** Milliseconds, as part of a statement: all parts of one statement see the same time. */
export function leaseNow({ engine, leaseTime }: Pick<Session, 'engine' | 'leaseTime'>): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${Math.round(leaseTime())}`;
}

/** The same, so many milliseconds later. */
export function leaseEnd(session: Pick<Session, 'engine' | 'leaseTime'>, ms: number): RawBuilder<number> {
  return sql<number>`${leaseNow(session)} + ${Math.round(ms)}`;
}
