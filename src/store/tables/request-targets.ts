/** The targets of requests, one row each. A target's row is the claim: it is written before the one POST. */
import { type SqlBool, sql } from 'kysely';
import { type Instant, later } from '../../lib/clock.ts';
import { type DeviceId, type RequestId, requestId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import {
  FOLLOWED_STATES,
  MAX_CLAIM_WAIT_MS,
  type RequestTarget,
  type TargetState,
  type TargetStore,
  UNSENT_STATES,
} from '../port/request-records.ts';
import type { Session } from '../session.ts';
import { commandKeyOf, IS_READY, targetWrites } from './request-target-writes.ts';
import {
  endedTargetRow,
  NO_DEVICE,
  ownRows,
  readRow,
  recordsOf,
  requestTargetRow,
  updateOwn,
} from './rows.ts';

/** Their ids, or positions, are parameters of one statement. */
const TARGETS_PER_STATEMENT = 500;

export function createTargetTable(session: Session): TargetStore {
  return { ...readsOfRequests(session), ...readsOfFollowed(session), ...targetWrites(session) };
}

/** In the words of the indexes and without parameters, or they are not used. */
const IS_CLAIMED = sql<SqlBool>`state <> 'ready'`;

const targets = (session: Session) => ownRows(session, 'requestTargets').selectAll();

const ofRequest = (session: Session, request: RequestId) => targets(session).where('requestId', '=', request);

const records = recordsOf(
  requestTargetRow,
  'request_targets',
  ({ requestId, deviceId }: { readonly requestId: RequestId; readonly deviceId: DeviceId }) =>
    `${requestId}/${deviceId}`,
);

type OfRequests = 'of' | 'onDevices' | 'ofEach' | 'countDueAfter' | 'stillClaimed' | 'claimable' | 'nextAt';

function readsOfRequests(session: Session): Pick<TargetStore, OfRequests> {
  return {
    of: async (request, options = {}) => targetsOf(session, request, options),
    onDevices: (request, devices) =>
      inParts(devices, (part) =>
        records.all(ofRequest(session, request).where('deviceId', 'in', part).orderBy('position')),
      ),
    ofEach: async (requests, limit) => {
      const found = new Map<RequestId, RequestTarget[]>(requests.map((request) => [request, []]));
      for (const part of chunksOf([...found.keys()], TARGETS_PER_STATEMENT)) {
        // Positions have no gaps: these are the first of each, and no others are read.
        const ofPart = targets(session)
          .where('requestId', 'in', part)
          .where('position', '<', limit)
          .orderBy('requestId')
          .orderBy('position');
        for (const target of await records.all(ofPart)) found.get(target.requestId)?.push(target);
      }
      return found;
    },
    countDueAfter: async (requests, states, after) => {
      if (requests.length === 0) return new Map();
      const rows = await ownRows(session, 'requestTargets')
        .select(({ fn }) => ['requestId', fn.countAll().as('targets')])
        .where('requestId', 'in', requests)
        .where('state', 'in', states)
        .where('deadlineAt', '>', after)
        .groupBy('requestId')
        .execute();
      return new Map(rows.map((row) => [requestId(row.requestId), Number(row.targets)]));
    },
    stillClaimed: async (claims) => {
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
    },
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
    nextAt: async (request, states) => {
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
    },
  };
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

async function inParts(
  devices: readonly DeviceId[],
  read: (part: readonly DeviceId[]) => Promise<readonly RequestTarget[]>,
): Promise<readonly RequestTarget[]> {
  const found: RequestTarget[] = [];
  for (const part of chunksOf(devices, TARGETS_PER_STATEMENT)) found.push(...(await read(part)));
  return found;
}

type OfFollowed = 'lastClaimAt' | 'due' | 'followedOn' | 'followedUntil' | 'hasten' | 'open' | 'endedSince';

function readsOfFollowed(session: Session): Pick<TargetStore, OfFollowed> {
  const followed = (query: ReturnType<typeof targets>) =>
    query.where('endedAt', 'is', null).where('state', 'in', FOLLOWED_STATES);
  const followedOn = (devices: readonly DeviceId[]) =>
    inParts(devices, (part) =>
      records.all(followed(targets(session).where('deviceId', 'in', part)).where(IS_CLAIMED)),
    );

  return {
    followedOn,
    lastClaimAt: async (request) => {
      const last = await ofRequest(session, request)
        .clearSelect()
        .select((is) => is.fn.max('issuedAt').as('at'))
        .where(IS_CLAIMED)
        .where('state', 'not in', UNSENT_STATES)
        .executeTakeFirst();
      return last?.at ?? null;
    },
    due: async (request, now, limit) => {
      const due = followed(ofRequest(session, request)).where('nextAt', '<=', now);
      return records.all(due.orderBy('nextAt').orderBy('position').limit(limit));
    },
    followedUntil: async (request, until, limit) => {
      const found = followed(ofRequest(session, request)).where('nextAt', 'is not', null);
      return records.all(found.where('deadlineAt', '<=', until).orderBy('nextAt').limit(limit));
    },
    hasten: async (devices, now) => {
      const waiting = (await followedOn(devices)).filter(({ nextAt }) => nextAt !== null && nextAt > now);
      // One statement for each: whoever holds a request goes by device, and a statement over several has no order.
      for (const { requestId, position } of waiting)
        await updateOwn(session, 'requestTargets')
          .set({ nextAt: now })
          .where('requestId', '=', requestId)
          .where('position', '=', position)
          .where('endedAt', 'is', null)
          .where('nextAt', '>', now)
          .execute();
      return [...new Set(waiting.map(({ requestId }) => requestId))];
    },
    open: async (device, action) => {
      const underWay = targets(session)
        .where('deviceId', '=', device ?? NO_DEVICE)
        .where('commandKey', '=', commandKeyOf(action, []))
        .where('endedAt', 'is', null)
        .where(IS_CLAIMED);
      return records.all(underWay.orderBy('issuedAt').orderBy('requestId'));
    },
    endedSince: async (since, kinds) => {
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
        const read = readRow(endedTargetRow, 'request_targets', `of ${row.deviceId}`, row);
        return { deviceId: read.deviceId, at: read.endedAt };
      });
    },
  };
}
