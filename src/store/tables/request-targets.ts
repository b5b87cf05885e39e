/** The targets of requests, one row each. A target's row is the claim: it is written before the one POST. */
import { type SqlBool, sql } from 'kysely';
import type { FleetAction, TargetAction } from '../../fleet/model/actions.ts';
import { type Instant, later } from '../../lib/clock.ts';
import { type DeviceId, type RequestId, requestId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import { type TargetState, UNSENT_STATES } from '../port/records.ts';
import {
  FOLLOWED_STATES,
  MAX_CLAIM_WAIT_MS,
  type RequestTarget,
  type TargetStore,
} from '../port/request-records.ts';
import type { Session } from '../session.ts';
import {
  commandKeyOf,
  endReadyTargets,
  IS_READY,
  moveTargets,
  refreezeTargets,
  resetTarget,
} from './request-target-writes.ts';
import {
  endedTargetRow,
  NO_DEVICE,
  ownRows,
  readRow,
  recordsOf,
  requestTargetRow,
  updateOwn,
} from './rows.ts';

/** Their ids are parameters of one statement. */
const REQUESTS_PER_STATEMENT = 500;
/** The same for positions. */
const TARGETS_PER_STATEMENT = 500;

export function createTargetTable(session: Session): TargetStore {
  return {
    of: async (request, options = {}) => targetsOf(session, request, options),
    onDevices: async (request, devices) => onDevices(session, request, devices),
    ofEach: async (requests, limit) => ofEach(session, requests, limit),
    countDueAfter: async (requests, states, after) => countDueAfter(session, requests, { states, after }),
    move: (request, moves) => session.inTransaction((inner) => moveTargets(inner, request, moves)),
    reset: (target) => session.inTransaction((inner) => resetTarget(inner, target)),
    refreeze: (request, targets) =>
      session.inTransaction((inner) => refreezeTargets(inner, request, targets)),
    endReady: (request, evidence, now) =>
      session.inTransaction((inner) => endReadyTargets(inner, request, { evidence, now })),
    lastClaimAt: async (request) => lastClaimAt(session, request),
    stillClaimed: async (claims) => stillClaimed(session, claims),
    claimable: async (request, now, limit, { from, to }) => {
      const ready = ofRequest(session, request)
        .where('position', '>=', from)
        .where('position', '<', to)
        .where(IS_READY)
        .where((is) =>
          is.or([
            is('nextAt', 'is', null),
            is('nextAt', '<=', now),
            is('nextAt', '>', later(now, MAX_CLAIM_WAIT_MS)),
          ]),
        );
      return records.all(ready.orderBy('position').limit(limit));
    },
    due: async (request, now, limit) =>
      records.all(
        followed(ofRequest(session, request))
          .where('nextAt', '<=', now)
          .orderBy('nextAt')
          .orderBy('position')
          .limit(limit),
      ),
    followedOn: async (devices) => followedOn(session, devices),
    followedUntil: async (request, until, limit) =>
      records.all(
        followed(ofRequest(session, request))
          .where('nextAt', 'is not', null)
          .where('deadlineAt', '<=', until)
          .orderBy('nextAt')
          .limit(limit),
      ),
    hasten: async (devices, now) => hasten(session, devices, now),
    nextAt: async (request, states) => nextAt(session, request, states),
    open: async (device, action) => open(session, device, action),
    endedSince: async (since, kinds) => endedSince(session, since, kinds),
  };
}

/** In the words of the indexes and without parameters, or they are not used. */
const IS_CLAIMED = sql<SqlBool>`state <> 'ready'`;

const targets = (session: Session) => ownRows(session, 'requestTargets').selectAll();

const ofRequest = (session: Session, request: RequestId) => targets(session).where('requestId', '=', request);

const followed = (query: ReturnType<typeof targets>) =>
  query.where('endedAt', 'is', null).where('state', 'in', FOLLOWED_STATES);

const records = recordsOf(
  requestTargetRow,
  'request_targets',
  ({ requestId, deviceId }: { readonly requestId: RequestId; readonly deviceId: DeviceId }) =>
    `${requestId}/${deviceId}`,
);

async function lastClaimAt(session: Session, request: RequestId): Promise<Instant | null> {
  const last = await ofRequest(session, request)
    .clearSelect()
    .select((is) => is.fn.max('issuedAt').as('at'))
    .where(IS_CLAIMED)
    .where('state', 'not in', UNSENT_STATES)
    .executeTakeFirst();
  return last?.at ?? null;
}

async function targetsOf(
  session: Session,
  request: RequestId,
  { states, limit, after, before, skip = 0 }: Exclude<Parameters<TargetStore['of']>[1], undefined>,
): Promise<readonly RequestTarget[]> {
  const inOrder = (state: TargetState | null) => {
    let query = ofRequest(session, request);
    if (state !== null) query = query.where('state', '=', state);
    if (after !== undefined) query = query.where('position', '>', after);
    if (before !== undefined) query = query.where('position', '<', before);
    query = query.orderBy('position');
    return limit === undefined ? query : query.limit(skip + limit);
  };
  // Each state from its index, which has them in order: a few of a rare state are found without a look at all the others.
  const [first, ...others] = (states === undefined ? [null] : [...new Set(states)]).map((state) =>
    session.db().selectFrom(inOrder(state).as('inOrder')).selectAll(),
  );
  if (first === undefined) return [];
  const query = others.reduce((all, other) => all.unionAll(other), first).orderBy('position');
  return records.all(limit === undefined ? query : query.limit(limit).offset(skip));
}

async function onDevices(
  session: Session,
  request: RequestId,
  devices: readonly DeviceId[],
): Promise<readonly RequestTarget[]> {
  const found: RequestTarget[] = [];
  for (const part of chunksOf(devices, TARGETS_PER_STATEMENT))
    found.push(
      ...(await records.all(ofRequest(session, request).where('deviceId', 'in', part).orderBy('position'))),
    );
  return found;
}

async function ofEach(
  session: Session,
  requests: readonly RequestId[],
  limit: number,
): ReturnType<TargetStore['ofEach']> {
  const found = new Map<RequestId, RequestTarget[]>(requests.map((request) => [request, []]));
  for (const part of chunksOf([...found.keys()], REQUESTS_PER_STATEMENT)) {
    // Positions have no gaps: these are the first of each, and no others are read.
    const ofPart = targets(session)
      .where('requestId', 'in', part)
      .where('position', '<', limit)
      .orderBy('requestId')
      .orderBy('position');
    for (const target of await records.all(ofPart)) found.get(target.requestId)?.push(target);
  }
  return found;
}

async function stillClaimed(
  session: Session,
  claims: readonly RequestTarget[],
): Promise<readonly RequestTarget[]> {
  const [first] = claims;
  if (first === undefined) return [];
  const since = new Map<number, Instant>();
  for (const part of chunksOf(claims, TARGETS_PER_STATEMENT)) {
    const positions = part.map(({ position }) => position);
    const rows = await ofRequest(session, first.requestId)
      .clearSelect()
      .select(['position', 'issuedAt'])
      .where('state', '=', 'issuing')
      .where('position', 'in', positions)
      .execute();
    for (const { position, issuedAt } of rows) since.set(position, issuedAt);
  }
  return claims.filter(({ position, issuedAt }) => since.get(position) === issuedAt);
}

async function nextAt(
  session: Session,
  request: RequestId,
  states: readonly TargetState[],
): Promise<Instant | null> {
  const first = await ofRequest(session, request)
    .clearSelect()
    .select('nextAt')
    .where('endedAt', 'is', null)
    .where('nextAt', 'is not', null)
    .where('state', 'in', states)
    .orderBy('nextAt')
    .limit(1)
    .executeTakeFirst();
  return first?.nextAt ?? null;
}

async function followedOn(session: Session, devices: readonly DeviceId[]): Promise<readonly RequestTarget[]> {
  const found: RequestTarget[] = [];
  for (const part of chunksOf(devices, TARGETS_PER_STATEMENT))
    found.push(
      ...(await records.all(followed(targets(session).where('deviceId', 'in', part)).where(IS_CLAIMED))),
    );
  return found;
}

/** One statement for each target: whoever holds a request goes by device, and a statement over several has no order. */
async function hasten(
  session: Session,
  devices: readonly DeviceId[],
  now: Instant,
): Promise<readonly RequestId[]> {
  const waiting = (await followedOn(session, devices)).filter(
    ({ nextAt }) => nextAt !== null && nextAt > now,
  );
  for (const { requestId, position } of waiting)
    await updateOwn(session, 'requestTargets')
      .set({ nextAt: now })
      .where('requestId', '=', requestId)
      .where('position', '=', position)
      .where('endedAt', 'is', null)
      .where('nextAt', '>', now)
      .execute();
  return [...new Set(waiting.map(({ requestId }) => requestId))];
}

async function open(
  session: Session,
  device: DeviceId | null,
  action: TargetAction,
): Promise<readonly RequestTarget[]> {
  const underWay = targets(session)
    .where('deviceId', '=', device ?? NO_DEVICE)
    .where('commandKey', '=', commandKeyOf(action, []))
    .where('endedAt', 'is', null)
    .where(IS_CLAIMED);
  return records.all(underWay.orderBy('issuedAt').orderBy('requestId'));
}

async function endedSince(
  session: Session,
  since: Instant,
  kinds: readonly FleetAction['kind'][],
): ReturnType<TargetStore['endedSince']> {
  if (kinds.length === 0) return [];
  const found = await session
    .db()
    .selectFrom('requestTargets')
    .innerJoin('requests', (join) =>
      join
        .onRef('requests.organizationId', '=', 'requestTargets.organizationId')
        .onRef('requests.id', '=', 'requestTargets.requestId'),
    )
    .select(['requestTargets.deviceId', 'requestTargets.endedAt'])
    .where('requestTargets.organizationId', '=', session.organizationId)
    .where('requestTargets.endedAt', '>', since)
    .where('requestTargets.deviceId', '!=', NO_DEVICE)
    .where((is) => is.or(kinds.map((kind) => is('requests.action', 'like', `%"kind":"${kind}"%`))))
    .execute();
  return found.map((row) => {
    const { deviceId, endedAt: at } = readRow(endedTargetRow, 'request_targets', `of ${row.deviceId}`, row);
    return { deviceId, at };
  });
}

async function countDueAfter(
  session: Session,
  requests: readonly RequestId[],
  { states, after }: { readonly states: readonly TargetState[]; readonly after: Instant },
): ReturnType<TargetStore['countDueAfter']> {
  if (requests.length === 0) return new Map();
  const rows = await ownRows(session, 'requestTargets')
    .select(({ fn }) => ['requestId', fn.countAll().as('targets')])
    .where('requestId', 'in', requests)
    .where('state', 'in', states)
    .where('deadlineAt', '>', after)
    .groupBy('requestId')
    .execute();
  return new Map(rows.map((row) => [requestId(row.requestId), Number(row.targets)]));
}
