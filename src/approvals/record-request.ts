/** Records a request: one transaction stores it with its card, its work and its audit line. */

import { editedFields, type FleetAction, isEdit } from '../fleet/model/actions.ts';
import { policyIdOf } from '../fleet/model/policy-status.ts';
import type { Clock, Instant } from '../lib/clock.ts';
import type { OnFailpoint } from '../lib/failpoints.ts';
import { type ChannelId, cardKey, type OrganizationId } from '../lib/ids.ts';
import { editAuditDetail } from '../operations/edit-audit-detail.ts';
import type { ApprovalRecord, AuditEntry, OperationRecord } from '../store/port/records.ts';
import type { PauseRecord } from '../store/port/settings-records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';
import { reasonAuditDetail, recordEventEffects } from './apply-event.ts';
import { newApproval, newOperation, type RequestInput } from './new-records.ts';
import { ChangesPaused, catchPaused } from './pause-switch.ts';
import { needsApproval } from './rules.ts';
import { transition } from './state-machine.ts';

export type { RequestInput } from './new-records.ts';

export type RecordRequestResult =
  /** `already`: this delivery, or somebody, asked for the same before. */
  | { readonly kind: 'asked'; readonly approval: ApprovalRecord; readonly already: boolean }
  /** Likewise. */
  | { readonly kind: 'started'; readonly operation: OperationRecord; readonly already: boolean }
  /** Nothing was stored. */
  | { readonly kind: 'paused'; readonly pause: PauseRecord };

export type RecordRequestOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly organizationId: OrganizationId;
  readonly channels: { readonly approvals: ChannelId };
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export function createRecordRequest(
  options: RecordRequestOptions,
): (order: RequestInput) => Promise<RecordRequestResult> {
  const { store, clock, organizationId, channels, wakeWorker, onFailpoint } = options;

  const recordForApproval = async (input: RequestInput): Promise<RecordRequestResult> => {
    const approval = newApproval(input, organizationId, clock.now());
    const requested = await store.transaction((tables) =>
      storeApproval(tables, approval, channels.approvals),
    );
    if (!requested.already) await onFailpoint?.('approval.recorded');
    wakeWorker();
    return requested;
  };

  const start = async (input: RequestInput): Promise<RecordRequestResult> => {
    const now = clock.now();
    const operation = newOperation(input, organizationId, now);
    const stored = await store.transaction((tables) => storeOperation(tables, operation, { ...input, now }));
    const already = stored.id !== operation.id;
    await onFailpoint?.('operation.recorded');
    wakeWorker();
    return { kind: 'started', operation: stored, already };
  };

  return async (input) => {
    const { command, targets } = input.proposal;
    if (targets.length === 0) throw new Error('a proposal about nothing');
    const requested = await catchPaused(() =>
      needsApproval(command) ? recordForApproval(input) : start(input),
    );
    return requested instanceof ChangesPaused ? { kind: 'paused', pause: requested.pause } : requested;
  };
}

async function storeApproval(
  tables: StoreTables,
  approval: ApprovalRecord,
  channel: ChannelId,
): Promise<Extract<RecordRequestResult, { kind: 'asked' }>> {
  const now = approval.createdAt;
  const pause = await tables.pause.lockAndRead();
  const found = await insertOverExpired(tables, approval);
  if (found !== null) {
    // Its card may have been deleted: updating it finds that out.
    if (found.state === 'waiting') await tables.cards.enqueueUpdate(cardKey('approval', found.id), now);
    return { kind: 'asked', approval: found, already: true };
  }
  // Checked only now, because a repeated delivery of a request from before the pause gets its first answer again.
  if (pause !== null) throw new ChangesPaused(pause);
  const { id, requesterId, expiresAt } = approval;
  await tables.cards.enqueue({ key: cardKey('approval', id), channel, fallbackPerson: null, dueAt: now });
  await tables.work.put({ kind: 'expire', key: id, dueAt: expiresAt });
  const detail = {
    ...actionAndDevicesDetail(approval),
    ...editDetailOf(approval),
    ...reasonAuditDetail(approval.reason),
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

/** Inserts the approval; gives the waiting one that prevents it, if any. One past its time expires here, because its `expire` work may not have run. */
async function insertOverExpired(
  tables: StoreTables,
  approval: ApprovalRecord,
): Promise<ApprovalRecord | null> {
  const now = approval.createdAt;
  const first = await tables.approvals.insert(approval);
  if (first.kind === 'inserted') return null;
  const transitioned = transition(first.approval, { kind: 'expire' }, now);
  if (transitioned.kind === 'refused') return first.approval;
  if (await tables.approvals.replace(transitioned.approval)) {
    await recordEventEffects(tables, {
      before: first.approval,
      approval: transitioned.approval,
      event: { kind: 'expire' },
      now,
    });
  }
  const second = await tables.approvals.insert(approval);
  return second.kind === 'inserted' ? null : second.approval;
}

async function storeOperation(
  tables: StoreTables,
  operation: OperationRecord,
  { channel, proposal, now }: Pick<RequestInput, 'channel' | 'proposal'> & { readonly now: Instant },
): Promise<OperationRecord> {
  const pause = await tables.pause.lockAndRead();
  const inserted = await tables.operations.insert(operation);
  if (inserted.kind === 'exists') return inserted.operation;
  if (pause !== null) throw new ChangesPaused(pause);
  const { id, requesterId } = operation;
  const key = cardKey('operation', id);
  await tables.cards.enqueue({ key, channel, fallbackPerson: requesterId, dueAt: now });
  await tables.work.put({ kind: 'act', key, dueAt: now });
  await tables.audit.append({
    at: now,
    actor: requesterId,
    action: 'operation.requested',
    subject: id,
    detail: {
      ...actionAndDevicesDetail(operation),
      ...editDetailOf(proposal),
      ...reasonAuditDetail(operation.reason),
    },
  });
  return operation;
}

function actionAndDevicesDetail({
  command,
  targets,
}: Pick<ApprovalRecord | OperationRecord, 'command' | 'targets'>) {
  const devices = targets.flatMap(({ deviceId }) => deviceId ?? []).join(' ');
  return { command: command.kind, ...actionDetail(command), devices };
}

function editDetailOf({
  command,
  targets,
}: Pick<ApprovalRecord | RequestInput['proposal'], 'command' | 'targets'>): AuditEntry['detail'] {
  return isEdit(command) ? editAuditDetail(command, targets) : {};
}

function actionDetail(order: FleetAction): AuditEntry['detail'] {
  if (!isEdit(order)) {
    if (order.kind === 'patch' && order.chosen !== undefined) {
      return { severities: order.chosen.severities.join(' ') };
    }
    const policy = policyIdOf(order);
    return policy === null ? {} : { policy };
  }
  const fields = editedFields(order).join(' ');
  switch (order.kind) {
    case 'device-edit':
      return { fields };
    case 'group-create':
      return { fields, group: order.group.name };
    case 'group-edit':
      return { fields, group: order.groupId };
  }
}
