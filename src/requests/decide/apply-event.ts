/**
 * Brings an event to a stored request: one transaction writes the new state by compare-and-set together with the
 * work, the card and the audit line that follow from it. Who was not first reads again and is judged again.
 */
import type { Clock, Instant } from '../../lib/clock.ts';
import { type RequestId, requestCardKey } from '../../lib/ids.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import type { AuditEntry, Store, StoreTables } from '../../store/port/store.ts';
import {
  announceChange,
  enqueueLine,
  notifyOfExpiry,
  notifyOfReturn,
  notifyRequester,
  updateReturnMessages,
} from '../notifications.ts';
import { saidAuditDetail } from './audit-detail.ts';
import { endRest } from './hold-rollout.ts';
import { putNudge } from './nudges.ts';
import { type Refusal, type RequestEvent, transition } from './state-machine.ts';

export type EventResult =
  | { readonly kind: 'changed'; readonly request: RequestRecord }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'absent' }
  /** It cannot wait again, because another request waits for the same. */
  | { readonly kind: 'blocked' };

export type ApplyEvent = (
  id: RequestId,
  event: RequestEvent,
  /** Joins the transaction. */
  also?: (tables: StoreTables) => Promise<void>,
) => Promise<EventResult>;

/** Somebody else was first each time, as ten people who all have to agree: more than this is no race but a fault. */
const MAX_TRIES = 100;

type Ports = { readonly store: Store; readonly clock: Clock };

export function createApplyEvent({ store, clock }: Ports): ApplyEvent {
  return async (id, event, also) => {
    let tried: number | null = null;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const request = await store.requests.get(id);
      if (request === null) return { kind: 'absent' };
      const now = clock.now();
      const transitioned = transition(request, event, now);
      if (transitioned.kind === 'refused') return transitioned;
      if (request.version === tried) return { kind: 'blocked' };
      const { request: next } = transitioned;
      const won = await store.transaction(async (tables) => {
        if (event.kind === 'expire') await tables.requests.lockRequester(request.requesterId);
        if (!(await tables.requests.replace(next))) return false;
        await also?.(tables);
        await recordEventEffects(tables, { before: request, after: next, event, now });
        return true;
      });
      if (won) return { kind: 'changed', request: next };
      tried = request.version;
    }
    throw new Error(`request ${id} changed too often to be changed`);
  };
}

type AppliedEvent = {
  readonly before: RequestRecord;
  readonly after: RequestRecord;
  readonly event: RequestEvent;
  readonly now: Instant;
};

/** What follows from a change, inside its transaction. */
export async function recordEventEffects(tables: StoreTables, { before, after, event, now }: AppliedEvent) {
  const { id } = after;
  if (after.rollout?.hold?.kind === 'stopped') {
    // It was returned after a part of it ran.
    await tables.work.drop('expire', id);
    await announceChange(tables, { before, after, now });
    await endRest(tables, after, now);
  } else await recordWork(tables, { after, event, now });
  if (after.state !== 'waiting') await tables.work.drop('nudge', id);
  await tables.cards.enqueueUpdate(requestCardKey(after), now);
  if (before.state === 'waiting') await updateReturnMessages(tables, before, now);
  if (event.kind !== 'ask-anew') await tables.audit.append(auditEntryOf(after, event, now));
}

async function recordWork(tables: StoreTables, { after, event, now }: Omit<AppliedEvent, 'before'>) {
  const { id } = after;
  switch (event.kind) {
    case 'approve':
      // Others still have to agree.
      if (after.state === 'waiting') break;
      if (after.rollout === null) await tables.work.drop('expire', id);
      else await tables.work.put({ kind: 'expire', key: id, dueAt: after.rollout.endsAt });
      await tables.work.put({ kind: 'run', key: id, dueAt: now });
      break;
    case 'return':
      await tables.work.put({ kind: 'expire', key: id, dueAt: after.expiresAt ?? now });
      await putNudge(tables, after);
      await notifyOfReturn(tables, after, now);
      if (event.rest !== undefined && event.rest.bad > 0 && after.rollout !== null) {
        const { bad, ended } = event.rest;
        const incident = { kind: 'drifted', wave: after.rollout.wave, bad, ended } as const;
        await enqueueLine(tables, { request: after, incident, now });
      }
      break;
    case 'withdraw':
      await tables.work.drop('expire', id);
      break;
    case 'deny':
    case 'unposted':
      await tables.work.drop('expire', id);
      await notifyRequester(tables, after, now);
      break;
    case 'expire':
      await notifyOfExpiry(tables, after, now);
      break;
    case 'ask-anew':
      await putNudge(tables, after);
      break;
    case 'add-reason':
      break;
  }
}

/** What another file asks for stands in the line about the file. */
type AuditedEvent = Exclude<RequestEvent, { readonly kind: 'ask-anew' }>;

/** The names are kept in the audit, so they stay as they were. */
const AUDIT_ACTIONS: Readonly<Record<AuditedEvent['kind'], string>> = {
  approve: 'approval.approved',
  deny: 'approval.denied',
  withdraw: 'approval.withdrawn',
  'add-reason': 'approval.reason-added',
  expire: 'approval.expired',
  unposted: 'approval.unposted',
  return: 'approval.sent-back',
};

function auditEntryOf({ id, seal, state }: RequestRecord, event: AuditedEvent, now: Instant): AuditEntry {
  return {
    at: now,
    actor: 'by' in event ? event.by : 'patchbay',
    action: event.kind === 'approve' && state === 'waiting' ? 'approval.agreed' : AUDIT_ACTIONS[event.kind],
    subject: id,
    detail: {
      ...saidAuditDetail('reason', 'reason' in event ? event.reason : null),
      ...saidAuditDetail('comment', 'comment' in event ? event.comment : null),
      seal,
      // That of the event itself: an earlier one belongs to what it returned.
      note: 'note' in event ? JSON.stringify(event.note) : null,
    },
  };
}
