/**
 * Heartbeats of replicas, the leadership, and their shared request budget. All times are the database's
 * (`leaseNow`).
 */
import { sql } from 'kysely';
import { z } from 'zod';
import { type Instant, instant } from '../../lib/clock.ts';
import {
  type Heartbeat,
  type HeartbeatResult,
  nextBudgetShare,
  nextLeadership,
  type Presence,
  type ReplicaStore,
  SHARE_HOLD_MS,
  SHARE_LEASE_MS,
  takeTokenAt,
} from '../port/replica-records.ts';
import { leaseNow, type Session } from '../session.ts';
import { deleteOwn, insertOwn, insertsOne, jsonColumn, ownRows, updateOwn } from './rows.ts';

/** The role of the one replica that reads the event log and walks the fleet. */
const ROLE = 'watch';
/** Nobody's role: its row says until when any process was there. */
const PRESENCE = 'presence';
/** Name of the row for the pause, beside those of the limits. */
const PAUSE = 'pause';

export function createReplicaTables(session: Session): ReplicaStore {
  return {
    heartbeat: (heartbeat) => session.inTransaction((inner) => recordHeartbeat(inner, heartbeat)),
    alive: (now, offset) => session.inTransaction((inner) => recordAlive(inner, now, offset)),
    leave: (replica) =>
      session.inTransaction(async (inner) => {
        const head = await lockRole(inner, ROLE);
        const until = await nowOf(inner);
        if (head.holder === replica)
          await updateOwn(inner, 'leaders').set({ holder: null, until }).where('role', '=', ROLE).execute();
        await updateOwn(inner, 'replicas').set({ until }).where('id', '=', replica).execute();
      }),
    takeToken: (name, limit, offset) =>
      session.inTransaction(async (inner) => {
        const row = await lockBudget(inner, name);
        const now = (await nowOf(inner)) + offset;
        const pausedMs = limit.ignoresPause === true ? 0 : (await pausedUntil(inner)) - now;
        if (pausedMs > 0) return { kind: 'wait', ms: pausedMs };
        const tokens = takeTokenAt(parseTaken(row.taken), limit, now);
        if (tokens.kind === 'wait') return tokens;
        await setBudget(inner, name, { taken: JSON.stringify(tokens.taken) });
        return { kind: 'taken' };
      }),
    pause: (ms, offset) =>
      session.inTransaction(async (inner) => {
        const row = await lockBudget(inner, PAUSE);
        const until = (await nowOf(inner)) + offset + ms;
        if (until > row.pausedUntil) await setBudget(inner, PAUSE, { pausedUntil: until });
      }),
    rememberSignature: (signature, now, until) =>
      session.inTransaction(async (inner) => {
        await deleteOwn(inner, 'signatures').where('until', '<=', now).execute();
        const insertion = insertOwn(inner, 'signatures', { signature, until });
        return insertsOne(insertion.onConflict((conflict) => conflict.doNothing()));
      }),
  };
}

/** The leader's row is the lock: heartbeats run one after the other, and each sees what the earlier ones wrote. */
async function recordHeartbeat(session: Session, heartbeat: Heartbeat): Promise<HeartbeatResult> {
  const head = await lockRole(session, ROLE);
  const now = await nowOf(session);
  const lead = nextLeadership(head, heartbeat.replica, now);
  const leads = lead.holder === heartbeat.replica;
  // A new leader that has not read yet leaves the report of the previous one.
  const reading = leads && heartbeat.eventLog.lastReadAt !== null ? heartbeat.eventLog : head;
  if (leads)
    await updateOwn(session, 'leaders')
      .set({ ...lead, lastReadAt: reading.lastReadAt, failures: reading.failures })
      .where('role', '=', ROLE)
      .execute();
  const members = await ownRows(session, 'replicas')
    .select(['id', 'claim', 'until', 'connections', 'configuration'])
    .execute();
  const others = members.filter(({ id }) => id !== heartbeat.replica);
  const { claim, share } = nextBudgetShare(others, heartbeat.used, now);
  const { replica: id, connections, configuration } = heartbeat;
  const report = { claim, connections, configuration, until: now + SHARE_LEASE_MS };
  await insertOwn(session, 'replicas', { id, ...report })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doUpdateSet(report))
    .execute();
  await deleteOwn(session, 'replicas')
    .where('until', '<=', now - SHARE_HOLD_MS)
    .execute();
  const pausedMs = Math.max((await pausedUntil(session)) - (now + heartbeat.clockOffsetMs), 0);
  const { lastReadAt, failures } = reading;
  const alive = others.filter(({ until }) => until > now);
  const otherConnections = alive.reduce((total, other) => total + other.connections, 0);
  const configurationDiffers = alive.some((other) => other.configuration !== configuration);
  const eventLog = { lastReadAt, failures };
  return { leads, share, pausedMs, otherConnections, configurationDiffers, eventLog };
}

/**
 * A time in the future was written by a clock that was set back since, or by a replica whose clock a test moved first: it
 * stays on PostgreSQL, where others write, too.
 */
async function recordAlive(session: Session, clockNow: Instant, offset: number): Promise<Presence> {
  const isShared = session.engine === 'postgres';
  const now = isShared ? instant(Math.round((await nowOf(session)) + offset)) : clockNow;
  const { until: last } = await lockRole(session, PRESENCE);
  const until = isShared ? Math.max(last, now) : now;
  await updateOwn(session, 'leaders').set({ until }).where('role', '=', PRESENCE).execute();
  return { last: last === 0 ? null : instant(last), now };
}

async function nowOf(session: Session): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${leaseNow(session)} as now`.execute(session.db());
  return rows[0]?.now ?? 0;
}

/** The lock is a write that changes nothing, the same on both engines. */
function lockRole(session: Session, role: string) {
  const none = { holder: null, token: 0, until: 0, lastReadAt: null, failures: 0 };
  return insertOwn(session, 'leaders', { role, ...none })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'role'])
        .doUpdateSet((expression) => ({ role: expression.ref('leaders.role') })),
    )
    .returning(['holder', 'token', 'until', 'lastReadAt', 'failures'])
    .executeTakeFirstOrThrow();
}

function lockBudget(session: Session, name: string) {
  return insertOwn(session, 'requestBudgets', { name, taken: '[]', pausedUntil: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'name'])
        .doUpdateSet((expression) => ({ name: expression.ref('requestBudgets.name') })),
    )
    .returning(['taken', 'pausedUntil'])
    .executeTakeFirstOrThrow();
}

async function setBudget(
  session: Session,
  name: string,
  change: { readonly taken?: string; readonly pausedUntil?: number },
): Promise<void> {
  await updateOwn(session, 'requestBudgets').set(change).where('name', '=', name).execute();
}

async function pausedUntil(session: Session): Promise<number> {
  const row = await ownRows(session, 'requestBudgets')
    .select('pausedUntil')
    .where('name', '=', PAUSE)
    .executeTakeFirst();
  return row?.pausedUntil ?? 0;
}

const times = jsonColumn(z.array(z.int()));

/** An unreadable list counts as empty: if that is wrong, the service answers 429. */
function parseTaken(text: string): readonly number[] {
  const read = times.safeParse(text);
  return read.success ? read.data : [];
}
