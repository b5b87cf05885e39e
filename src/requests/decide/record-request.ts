/** Taking up a proposal within its person’s limits: one transaction stores it with its card, its work and its audit line. */

import { type Clock, DAY, HOUR, type Instant, later } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type ChannelId, type OrganizationId, requestCardKey } from '../../lib/ids.ts';
import {
  countsTowardsLimits,
  DEFAULT_ROLLOUT_LIMITS,
  type RequestLimit,
  type RolloutLimits,
} from '../../lib/rollout-limits.ts';
import { isSamePlan, planRollout } from '../../rollout/plan.ts';
import { type RequestRecord, undecidedIn } from '../../store/port/request-records.ts';
import { MAX_LISTED } from '../../store/port/request-store.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { type ReadIndex, withMembers } from '../members.ts';
import { recordEventEffects } from './apply-event.ts';
import { requestAuditDetail, saidAuditDetail } from './audit-detail.ts';
import { type NewRequest, newRequest, type RequestInput } from './new-request.ts';
import { transition } from './state-machine.ts';

export type RecordRequestResult =
  /** `already`: this delivery, or somebody, asked for the same before. */
  | { readonly kind: 'recorded'; readonly request: RequestRecord; readonly already: boolean }
  | NotRecordedResult;

/** Nothing was stored. */
type NotRecordedResult =
  | { readonly kind: 'paused'; readonly pause: PauseRecord }
  | { readonly kind: 'limited'; readonly limit: RequestLimit }
  /** The same for the same devices waits, but with another plan, or only for the rest of them. */
  | { readonly kind: 'differs'; readonly request: RequestRecord };

/** Thrown inside the transaction, so that it leaves nothing behind. */
class NotRecorded extends Error {
  readonly result: NotRecordedResult;
  constructor(result: NotRecordedResult) {
    super(`not recorded: ${result.kind}`);
    this.result = result;
  }
}

export type RecordRequestOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  /** How much one person may request; absent: the default. */
  readonly limits?: RolloutLimits;
  readonly channels: { readonly approvals: ChannelId };
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
  readonly readIndex?: ReadIndex;
};

export function createRecordRequest(
  options: RecordRequestOptions,
): (input: RequestInput) => Promise<RecordRequestResult> {
  const { store, clock, organizationId, channels, wakeWorker, onFailpoint, readIndex } = options;
  const { limits = DEFAULT_ROLLOUT_LIMITS } = options;

  return async (input) => {
    const { targets, plan } = input.proposal;
    if (targets.length === 0) throw new Error('a proposal about nothing');
    if (targets.length > 1 && plan === undefined) throw new Error('a proposal of several without a plan');
    const sealed = targets.map((facts) => withMembers(facts, readIndex));
    const proposal = { ...input.proposal, targets: await Promise.all(sealed) };
    const wanted = newRequest({ ...input, proposal }, { organizationId, now: clock.now() });
    const channel = wanted.request.state === 'waiting' ? channels.approvals : input.channel;
    const stored = await store
      .transaction((tables) => storeRequest(tables, wanted, { channel, limits, now: clock.now() }))
      .catch((error: unknown) => {
        if (error instanceof NotRecorded) return error.result;
        throw error;
      });
    if ('kind' in stored) return stored;
    const already = stored.id !== wanted.request.id;
    if (!already) await onFailpoint?.('request.recorded');
    wakeWorker();
    return { kind: 'recorded', request: stored, already };
  };
}

/** The stored request: this one, or the one in its way. */
async function storeRequest(
  tables: StoreTables,
  wanted: NewRequest,
  {
    channel,
    limits,
    now,
  }: { readonly channel: ChannelId; readonly limits: RolloutLimits; readonly now: Instant },
): Promise<RequestRecord> {
  const { targets } = wanted;
  await tables.requests.lockRequester(wanted.request.requesterId);
  const pause = await tables.pause.lockAndRead();
  const { lastHour, limit } = await judgeLimits(tables, wanted, limits, now);
  const request = {
    ...wanted.request,
    askedLastHour: countsTowardsLimits(wanted.request.action) ? lastHour : null,
    typedCount: lastHour >= limits.reasonFrom,
  };
  const found = await insertOverExpired(tables, { request, targets }, now);
  const key = requestCardKey(request);
  if (found !== null) {
    if (found.requestKey !== request.requestKey && !isSame(found, wanted))
      throw new NotRecorded({ kind: 'differs', request: found });
    // Its card may have been deleted: drawing it again finds that out.
    if (found.state === 'waiting') await tables.cards.enqueueUpdate(requestCardKey(found), now);
    return found;
  }
  // Only now, because a repeated delivery of what was asked before the pause is answered as it was.
  if (pause !== null) throw new NotRecorded({ kind: 'paused', pause });
  if (limit !== null) throw new NotRecorded({ kind: 'limited', limit });
  const { id, requesterId, expiresAt, seal, action } = request;
  const fallbackPerson = expiresAt === null ? requesterId : null;
  await tables.cards.enqueue({ key, channel, fallbackPerson, dueAt: now });
  const work =
    expiresAt === null
      ? ({ kind: 'run', dueAt: now } as const)
      : ({ kind: 'expire', dueAt: expiresAt } as const);
  await tables.work.put({ ...work, key: id });
  if (request.rollout !== null && expiresAt === null)
    await tables.work.put({ kind: 'expire', key: id, dueAt: request.rollout.endsAt });
  const facts = targets.map((target) => target.facts);
  const detail = { ...requestAuditDetail(action, facts), ...saidAuditDetail('reason', request.reason) };
  await tables.audit.append({
    at: now,
    actor: requesterId,
    action: expiresAt === null ? 'operation.requested' : 'approval.requested',
    subject: id,
    detail: seal === null ? detail : { ...detail, seal },
  });
  return { ...request, counts: { ready: targets.length, open: targets.length } };
}

/**
 * Of how many devices the person asked for changes in the last hour, with these, and whether that is too much; null: it is
 * not. Nobody else changes the number of their requests before the transaction ends.
 */
async function judgeLimits(
  { requests }: Pick<StoreTables, 'requests'>,
  { request: { requesterId, action, reason, expiresAt, reach }, targets }: NewRequest,
  { maxWaiting, maxDevicesPerDay, reasonFrom }: RolloutLimits,
  now: Instant,
): Promise<{ readonly lastHour: number; readonly limit: RequestLimit | null }> {
  const devices = targets.length * reach;
  const isCounted = countsTowardsLimits(action);
  const within = async (age: number) =>
    isCounted ? requests.requestedSince(requesterId, later(now, -age)) : 0;
  const [used, lastHour] = [await within(DAY), (await within(HOUR)) + devices];
  const waiting =
    expiresAt === null ? [] : await requests.list({ states: ['waiting'], requesterId }, MAX_LISTED);
  // One whose time is over counts as expired, whether or not its work has run.
  const open = waiting.filter((one) => one.expiresAt === null || one.expiresAt > now).length;
  if (open >= maxWaiting) return { lastHour, limit: { kind: 'too-many-waiting', most: maxWaiting } };
  if (isCounted && used + devices > maxDevicesPerDay)
    return { lastHour, limit: { kind: 'daily-limit', devices, used, most: maxDevicesPerDay } };
  const lacksReason = lastHour >= reasonFrom && reason === null;
  const limit = lacksReason
    ? ({ kind: 'reason-required', devices, lastHour, from: reasonFrom } as const)
    : null;
  return { lastHour, limit };
}

/** Whether a waiting request for the same devices would do the same in the same way. */
function isSame({ rollout, counts }: RequestRecord, { request, targets }: NewRequest): boolean {
  const [waiting, asked] = [rollout, request.rollout].map((one) => one?.plan ?? planRollout(targets.length));
  if (waiting === undefined || asked === undefined || undecidedIn(counts) !== targets.length) return false;
  return isSamePlan(waiting, asked);
}

/** The request in the way, if any. One whose time is over expires here; its work may not have run yet. */
async function insertOverExpired(
  tables: StoreTables,
  { request, targets }: NewRequest,
  now: Instant,
): Promise<RequestRecord | null> {
  const first = await tables.requests.insert(request, targets);
  if (first.kind === 'inserted') return null;
  const transitioned = transition(first.request, { kind: 'expire' }, now);
  if (transitioned.kind === 'refused') return first.request;
  if (await tables.requests.replace(transitioned.request)) {
    await recordEventEffects(tables, {
      before: first.request,
      after: transitioned.request,
      event: { kind: 'expire' },
      now,
    });
  }
  const second = await tables.requests.insert(request, targets);
  return second.kind === 'inserted' ? null : second.request;
}
