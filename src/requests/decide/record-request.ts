/** Taking up a proposal: one transaction stores it with its card, its work and its audit line. */

import type { Clock, Instant } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type ChannelId, type OrganizationId, requestCardKey } from '../../lib/ids.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../lib/rollout-limits.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { recordEventEffects } from './apply-event.ts';
import { reasonAuditDetail, requestAuditDetail } from './audit-detail.ts';
import { type NewRequest, newRequest, type RequestInput } from './new-request.ts';
import { ChangesPaused, catchPaused } from './pause-switch.ts';
import { transition } from './state-machine.ts';

export type RecordRequestResult =
  /** `already`: this delivery, or somebody, asked for the same before. */
  | { readonly kind: 'recorded'; readonly request: RequestRecord; readonly already: boolean }
  /** Nothing was stored. */
  | { readonly kind: 'paused'; readonly pause: PauseRecord };

export type RecordRequestOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  /** From so many devices on, whoever approves them types their number; absent: the default. */
  readonly typedCountFrom?: number;
  readonly channels: { readonly approvals: ChannelId };
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export function createRecordRequest(
  options: RecordRequestOptions,
): (input: RequestInput) => Promise<RecordRequestResult> {
  const { store, clock, organizationId, channels, wakeWorker, onFailpoint } = options;
  const { typedCountFrom = DEFAULT_ROLLOUT_LIMITS.reasonFrom } = options;

  return async (input) => {
    if (input.proposal.targets.length === 0) throw new Error('a proposal about nothing');
    const wanted = newRequest(input, { organizationId, typedCountFrom, now: clock.now() });
    const channel = wanted.request.state === 'waiting' ? channels.approvals : input.channel;
    const stored = await catchPaused(() =>
      store.transaction((tables) => storeRequest(tables, wanted, { channel, now: clock.now() })),
    );
    if (stored instanceof ChangesPaused) return { kind: 'paused', pause: stored.pause };
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
  { channel, now }: { readonly channel: ChannelId; readonly now: Instant },
): Promise<RequestRecord> {
  const { request, targets } = wanted;
  const pause = await tables.pause.lockAndRead();
  const found = await insertOverExpired(tables, wanted, now);
  const key = requestCardKey(request);
  if (found !== null) {
    // Its card may have been deleted: drawing it again finds that out.
    if (found.state === 'waiting') await tables.cards.enqueueUpdate(requestCardKey(found), now);
    return found;
  }
  // Only now, because a repeated delivery of what was asked before the pause is answered as it was.
  if (pause !== null) throw new ChangesPaused(pause);
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
  const facts = targets.flatMap((target) => target.facts ?? []);
  const detail = { ...requestAuditDetail(action, facts), ...reasonAuditDetail(request.reason) };
  await tables.audit.append({
    at: now,
    actor: requesterId,
    action: expiresAt === null ? 'operation.requested' : 'approval.requested',
    subject: id,
    detail: seal === null ? detail : { ...detail, seal },
  });
  return { ...request, counts: { ready: targets.length, open: targets.length } };
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
