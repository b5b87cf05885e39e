/**
 * Requests: one row each, with a version column for compare-and-set; and the windows that decide them once they are
 * submitted. What a request is about stands in `request-targets.ts`.
 */
import { sql } from 'kysely';
import { HOUR, later } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import { type DecisionWindowStore, decisionWindow } from '../port/decision-windows.ts';
import {
  COUNTED_BESIDE,
  type CountKey,
  MAX_LISTED,
  type RequestFilter,
  type RequestRecord,
  type RequestState,
  type RequestStore,
  type RequestTarget,
  UNSENT_STATES,
} from '../port/request-records.ts';
import type { Session } from '../session.ts';
import { countsColumn, readWaveCounts } from './request-counts.ts';
import { insertTargets } from './request-target-writes.ts';
import {
  checkOwned,
  deleteOwn,
  insertOwn,
  insertsOne,
  jsonColumn,
  ownRows,
  recordsOf,
  requestRow,
  updateOwn,
  updatesOne,
} from './rows.ts';

export function createRequestTable(session: Session): RequestStore {
  return {
    insert: (request, targets) =>
      session.inTransaction((inner) => insert(inner, checkOwned(inner, request), targets)),
    get: async (id) => records.first(rows(session).where('id', '=', id)),
    byRequestKey: async (requestKey) => records.first(rows(session).where('requestKey', '=', requestKey)),
    replace: (next) => session.inTransaction((inner) => replace(inner, checkOwned(inner, next))),
    waveCounts: (id) => readWaveCounts(session, id),
    lockRequester: (person) => lock(session, `requests of ${session.organizationId} ${person}`),
    lockRuns: () => lock(session, `requests of ${session.organizationId} by rules`),
    requestedSince: async (person, since) => {
      const made = ownRows(session, 'requests')
        .select(['id', 'reach'])
        .where('requesterId', '=', person)
        .where('createdAt', '>', since)
        .where('askedLastHour', 'is not', null)
        .where('state', 'not in', UNDONE_REQUESTS);
      const row = await ownRows(session, 'requestCounts')
        .innerJoin(made.as('made'), 'made.id', 'requestCounts.requestId')
        .select(({ fn, eb }) => fn.sum(eb('targets', '*', eb.ref('reach'))).as('devices'))
        .where('state', 'not in', NOT_COUNTED)
        .executeTakeFirst();
      return Number(row?.devices ?? 0);
    },
    ranByRule: async (since) => {
      const ran = rows(session).where('createdAt', '>', since).where('expiresAt', 'is', null);
      const named = ran.where('rules', 'not like', '%"runs":[]%');
      const devices = new Map<string, number>();
      for (const { rules } of await records.all(named))
        for (const run of rules.runs) devices.set(run.rule, (devices.get(run.rule) ?? 0) + run.devices);
      return devices;
    },
    list: async (filter, limit) => list(session, filter, Math.min(limit, MAX_LISTED)),
  };
}

/** Until the transaction ends. SQLite has one at a time and needs no lock. */
async function lock(session: Session, key: string): Promise<void> {
  if (session.engine === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(session.db());
}

type NewRequest = Omit<RequestRecord, 'counts'>;

const rows = (session: Session) => ownRows(session, 'requests').selectAll().select(countsColumn);

const records = recordsOf(requestRow, 'requests', ({ id }: { readonly id: RequestId }) => id);

/** The columns that may change; what was asked for, by whom and by which delivery stays as it was. */
const changingColumns = (request: NewRequest) => ({
  version: request.version,
  state: request.state,
  seal: request.seal,
  fingerprint: request.fingerprint,
  reason: request.reason,
  expiresAt: request.expiresAt,
  decidedBy: request.decidedBy,
  decidedAt: request.decidedAt,
  comment: request.comment,
  approvedBy: request.approvedBy,
  approvedAt: request.approvedAt,
  note: request.note === null ? null : JSON.stringify(request.note),
  startedAt: request.startedAt,
  rollout: request.rollout === null ? null : JSON.stringify(request.rollout),
  endedAt: request.endedAt,
  typedCount: request.typedCount ? (1 as const) : (0 as const),
  reach: request.reach,
  rules: JSON.stringify(request.rules),
});

const toRow = (request: NewRequest) => ({
  ...changingColumns(request),
  id: request.id,
  action: JSON.stringify(request.action),
  requesterId: request.requesterId,
  requestKey: request.requestKey,
  createdAt: request.createdAt,
  askedLastHour: request.askedLastHour,
});

/** The waiting request that was in the way may be decided before we read it; then there is room for ours. */
const MAX_TRIES = 3;

async function insert(
  session: Session,
  request: NewRequest,
  targets: readonly RequestTarget[],
): ReturnType<RequestStore['insert']> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const insertion = insertOwn(session, 'requests', toRow(request));
    if (await insertsOne(insertion.onConflict((conflict) => conflict.doNothing()))) {
      const { id, action, rollout } = request;
      await insertTargets(session, { id, action, plan: rollout?.plan ?? null }, targets);
      return { kind: 'inserted' };
    }
    const same = rows(session).where('requestKey', '=', request.requestKey);
    const rival = rows(session).where('state', '=', 'waiting').where('fingerprint', '=', request.fingerprint);
    const other = (await records.first(same)) ?? (await records.first(rival));
    if (other !== null) return { kind: 'exists', request: other };
  }
  throw new Error(`request ${request.id} could not be stored: its id is taken`);
}

async function replace(session: Session, next: NewRequest): Promise<boolean> {
  const rival = rows(session).where('state', '=', 'waiting').where('fingerprint', '=', next.fingerprint);
  // One that appears after this look breaks the unique index: the session tries again.
  if (next.state === 'waiting' && (await rival.where('id', '!=', next.id).executeTakeFirst())) return false;
  return updatesOne(
    updateOwn(session, 'requests')
      .set(changingColumns(next))
      .where('id', '=', next.id)
      .where('version', '=', next.version - 1),
  );
}

/** Nothing was sent to these, or will be. */
const UNDONE_REQUESTS = ['denied', 'expired', 'withdrawn'] as const satisfies readonly RequestState[];
const NOT_COUNTED = [...UNSENT_STATES, ...COUNTED_BESIDE] as const satisfies readonly CountKey[];

async function list(
  session: Session,
  { states, requesterId, needsApproval, inWaves, device, after, oldestFirst, decidedFrom }: RequestFilter,
  limit: number,
): Promise<readonly RequestRecord[]> {
  const order = oldestFirst === true ? 'asc' : 'desc';
  const targets = ownRows(session, 'requestTargets').select('requestId');
  const ordered = (state: RequestState | null) => {
    let query = rows(session);
    if (state !== null) query = query.where('state', '=', state);
    if (requesterId !== undefined) query = query.where('requesterId', '=', requesterId);
    if (needsApproval === true) query = query.where('expiresAt', 'is not', null);
    if (inWaves === true) query = query.where('rollout', 'is not', null);
    if (device !== undefined) query = query.where('id', 'in', targets.where('deviceId', '=', device));
    if (decidedFrom !== undefined) query = query.where('decidedAt', '>=', decidedFrom);
    if (after !== undefined)
      query = query.where((is) =>
        is.or([
          is('createdAt', '<', after.createdAt),
          is.and([is('createdAt', '=', after.createdAt), is('id', '>', after.id)]),
        ]),
      );
    return query.orderBy('createdAt', order).orderBy('id').limit(limit);
  };
  // Each state from its index: asked for several at once, both engines would sort all there ever were of them.
  const [first, ...others] = (states === undefined ? [null] : [...new Set(states)]).map((state) =>
    session.db().selectFrom(ordered(state).as('newest')).selectAll(),
  );
  if (first === undefined) return [];
  const found = others
    .reduce((query, other) => query.unionAll(other), first)
    .orderBy('createdAt', order)
    .orderBy('id')
    .limit(limit);
  return records.all(found);
}

const { decides, view } = decisionWindow.shape;
const row = decisionWindow.extend({ decides: jsonColumn(decides), view: jsonColumn(view) });
const windows = recordsOf(row, 'decision_windows', ({ id }: { readonly id: string }) => id);

export function createDecisionWindowTable(session: Session): DecisionWindowStore {
  return {
    insert: async (window, now) => {
      // Not sooner: a submission in time may be handled, or sent again, after the end.
      await deleteOwn(session, 'decisionWindows').where('endsAt', '<', later(now, -HOUR)).execute();
      const json = { decides: JSON.stringify(window.decides), view: JSON.stringify(window.view) };
      await insertOwn(session, 'decisionWindows', { ...window, ...json }).execute();
    },
    get: (id) => windows.first(ownRows(session, 'decisionWindows').selectAll().where('id', '=', id)),
    use: (id, submission) =>
      updatesOne(
        updateOwn(session, 'decisionWindows')
          .set({ usedBy: submission })
          .where('id', '=', id)
          .where('usedBy', 'is', null),
      ),
  };
}
