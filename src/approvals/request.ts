/** Taking up a proposal: one transaction stores it with its card, its work and its audit line. */
import type { Clock, Instant } from '../clock.ts';
import { type FleetOrder, fieldsOf, isEdit } from '../fleet/orders.ts';
import { policyOf } from '../fleet/standing.ts';
import { type ChannelId, cardKey, type OrganizationId } from '../ids.ts';
import { editDetail } from '../operations/edit-detail.ts';
import type { OnStep } from '../steps.ts';
import type { ApprovalRecord, AuditEntry, OperationRecord } from '../store/records.ts';
import type { PauseRecord } from '../store/settings-records.ts';
import type { Store, Tables } from '../store/store.ts';
import { recordChange } from './change.ts';
import { newApproval, newOperation, type RequestOrder } from './draft.ts';
import { orPaused, Paused } from './pause.ts';
import { needsApproval } from './policy.ts';
import { reasonDetail } from './reason.ts';
import { step } from './states.ts';

export type { RequestOrder } from './draft.ts';

export type Requested =
  /** `already`: this delivery, or somebody, asked for the same before. */
  | { readonly kind: 'asked'; readonly approval: ApprovalRecord; readonly already: boolean }
  /** Likewise. */
  | { readonly kind: 'started'; readonly operation: OperationRecord; readonly already: boolean }
  /** Nothing was stored. */
  | { readonly kind: 'paused'; readonly pause: PauseRecord };

export type RequestOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  readonly channels: { readonly approvals: ChannelId };
  /** Wakes the worker. */
  readonly kick: () => void;
  readonly onStep?: OnStep | undefined;
};

export function createRequest(options: RequestOptions): (order: RequestOrder) => Promise<Requested> {
  const { store, clock, organizationId, channels, kick, onStep } = options;

  const ask = async (order: RequestOrder): Promise<Requested> => {
    const approval = newApproval(order, organizationId, clock.now());
    const requested = await store.transaction((tables) =>
      storeApproval(tables, approval, channels.approvals),
    );
    if (!requested.already) await onStep?.('approval.recorded');
    kick();
    return requested;
  };

  const start = async (order: RequestOrder): Promise<Requested> => {
    const now = clock.now();
    const operation = newOperation(order, organizationId, now);
    const stored = await store.transaction((tables) => storeOperation(tables, operation, { ...order, now }));
    const already = stored.id !== operation.id;
    await onStep?.('operation.recorded');
    kick();
    return { kind: 'started', operation: stored, already };
  };

  return async (order) => {
    const { command, targets } = order.proposal;
    if (targets.length === 0) throw new Error('a proposal about nothing');
    const requested = await orPaused(() => (needsApproval(command) ? ask(order) : start(order)));
    return requested instanceof Paused ? { kind: 'paused', pause: requested.pause } : requested;
  };
}

async function storeApproval(
  tables: Tables,
  approval: ApprovalRecord,
  channel: ChannelId,
): Promise<Extract<Requested, { kind: 'asked' }>> {
  const now = approval.createdAt;
  const pause = await tables.pause.hold();
  const found = await insertOverExpired(tables, approval);
  if (found !== null) {
    // Its card may have been deleted: drawing it again finds that out.
    if (found.state === 'waiting') await tables.cards.refresh(cardKey('approval', found.id), now);
    return { kind: 'asked', approval: found, already: true };
  }
  // Only now, because a repeated delivery of what was asked before the pause is answered as it was.
  if (pause !== null) throw new Paused(pause);
  const { id, requesterId, expiresAt } = approval;
  await tables.cards.want({ key: cardKey('approval', id), channel, fallbackPerson: null, dueAt: now });
  await tables.work.put({ kind: 'expire', key: id, dueAt: expiresAt });
  const detail = {
    ...whatAndWhere(approval),
    ...edited(approval),
    ...reasonDetail(approval.reason),
    seal: approval.seal,
  };
  await tables.audit.append({
    at: now,
    actor: requesterId,
    action: 'approval.requested',
    subject: id,
    detail,
  });
  return { kind: 'asked', approval, already: false };
}

/** The approval in the way, if any. One whose time is over expires here; the sweep may not have come yet. */
async function insertOverExpired(tables: Tables, approval: ApprovalRecord): Promise<ApprovalRecord | null> {
  const now = approval.createdAt;
  const first = await tables.approvals.insert(approval);
  if (first.kind === 'inserted') return null;
  const stepped = step(first.approval, { kind: 'expire' }, now);
  if (stepped.kind === 'refused') return first.approval;
  if (await tables.approvals.replace(stepped.approval)) {
    await recordChange(tables, {
      before: first.approval,
      approval: stepped.approval,
      event: { kind: 'expire' },
      now,
    });
  }
  const second = await tables.approvals.insert(approval);
  return second.kind === 'inserted' ? null : second.approval;
}

async function storeOperation(
  tables: Tables,
  operation: OperationRecord,
  { channel, proposal, now }: Pick<RequestOrder, 'channel' | 'proposal'> & { readonly now: Instant },
): Promise<OperationRecord> {
  const pause = await tables.pause.hold();
  const inserted = await tables.operations.insert(operation);
  if (inserted.kind === 'exists') return inserted.operation;
  if (pause !== null) throw new Paused(pause);
  const { id, requesterId } = operation;
  const key = cardKey('operation', id);
  await tables.cards.want({ key, channel, fallbackPerson: requesterId, dueAt: now });
  await tables.work.put({ kind: 'act', key, dueAt: now });
  await tables.audit.append({
    at: now,
    actor: requesterId,
    action: 'operation.requested',
    subject: id,
    detail: { ...whatAndWhere(operation), ...edited(proposal), ...reasonDetail(operation.reason) },
  });
  return operation;
}

function whatAndWhere({ command, targets }: Pick<ApprovalRecord | OperationRecord, 'command' | 'targets'>) {
  const devices = targets.flatMap(({ deviceId }) => deviceId ?? []).join(' ');
  return { command: command.kind, ...about(command), devices };
}

function edited({
  command,
  targets,
}: Pick<ApprovalRecord | RequestOrder['proposal'], 'command' | 'targets'>): AuditEntry['detail'] {
  return isEdit(command) ? editDetail(command, targets) : {};
}

function about(order: FleetOrder): AuditEntry['detail'] {
  if (!isEdit(order)) {
    if (order.kind === 'patch' && order.chosen !== undefined) {
      return { severities: order.chosen.severities.join(' ') };
    }
    const policy = policyOf(order);
    return policy === null ? {} : { policy };
  }
  const fields = fieldsOf(order).join(' ');
  switch (order.kind) {
    case 'device-edit':
      return { fields };
    case 'group-create':
      return { fields, group: order.group.name };
    case 'group-edit':
      return { fields, group: order.groupId };
  }
}
