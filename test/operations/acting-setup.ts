/** Requests from approval to proof, on SQLite in memory, a simulated fleet and a manual clock. */

import { createApprovalService } from '../../src/approvals/approval-service.ts';
import { createExecuteHandler } from '../../src/approvals/execute-approval.ts';
import { factsFromRead } from '../../src/approvals/reread-facts.ts';
import type { Proposal } from '../../src/commands/core/command.ts';
import { type FleetAction, type FleetEdit, isEdit } from '../../src/fleet/model/actions.ts';
import { createManualClock, instant, later, MINUTE } from '../../src/lib/clock.ts';
import type { OnFailpoint } from '../../src/lib/failpoints.ts';
import { approvalId, channelId, type OperationId, personId } from '../../src/lib/ids.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { readForAction } from '../../src/operations/claim/action-read.ts';
import { readDeviceFor } from '../../src/operations/claim/device-read.ts';
import { createOperationService } from '../../src/operations/operations.ts';
import type { ApprovalRecord, ClaimedWork, TargetRecord } from '../../src/store/port/records.ts';
import type { Store } from '../../src/store/port/store.ts';
import type { WorkResult } from '../../src/store/work/worker.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { createSimulatedFleet, DEVICE, ORGANIZATION } from './simulated-fleet.ts';

export const START = instant(Date.UTC(2026, 5, 5, 4, 0));
export const ALICE = personId('U_ALICE');
export const BOB = personId('U_BOB');
export const APPROVALS = channelId('C_APPROVALS');
export const OPS = channelId('C_OPS');

export type ActingSetup = Awaited<ReturnType<typeof createActingSetup>>;

export type ActingSetupOptions = {
  readonly onFailpoint?: OnFailpoint;
  readonly log?: Log;
  /** A change older than this is not sent; absent: 15 minutes. */
  readonly maxAgeMs?: number;
};

export async function createActingSetup(options: ActingSetupOptions = {}) {
  // A file would be synchronized to disk at each of the thousands of steps of a week.
  const store: Store = await memoryStore(ORGANIZATION);
  const clock = createManualClock(START);
  const fleet = createSimulatedFleet(clock);
  const onFailpoint: OnFailpoint = (name) => options.onFailpoint?.(name);
  /** What the device index was told. */
  const learned: string[] = [];
  const { maxAgeMs = 15 * MINUTE } = options;
  const common = { store, clock, maxAgeMs, wakeWorker: () => {}, onFailpoint };
  const approvals = createApprovalService({
    ...common,
    organizationId: ORGANIZATION,
    channels: { approvals: APPROVALS },
  });
  const operations = createOperationService({
    ...common,
    log: options.log ?? silentLog,
    reader: fleet.reader,
    writer: fleet.writer,
    editor: fleet.editor,
    changeListener: {
      learnDevice: ({ id }) => learned.push(`device ${id}`),
      learnGroup: () => {},
      packagesChanged: (id, at) => learned.push(`packages of ${id} at ${at}`),
    },
  });
  const groupName = async () => 'Servers';
  const act = createExecuteHandler({ ...common, reader: fleet.reader, groupName, operations });

  const handle = (work: ClaimedWork): Promise<WorkResult> => {
    switch (work.kind) {
      case 'act':
        return act(work);
      case 'follow':
        return operations.follow(work);
      case 'expire':
        return approvals.expire(approvalId(work.key));
      case 'card':
      case 'click':
      case 'form':
      case 'run':
      case 'silence':
        return Promise.resolve({ kind: 'done' });
    }
  };

  /** Does all work that is due now. A handler that throws leaves its work, as a dying process would. */
  const settle = async (): Promise<void> => {
    for (;;) {
      const claim = { now: clock.now(), leaseMs: 60_000, limit: 1 };
      const [work] = await store.work.claim(claim);
      if (work === undefined) return;
      try {
        const result = await handle(work);
        if (result.kind === 'done') await store.work.finish(work);
        else await store.work.postpone(work, result.dueAt);
      } catch (error) {
        await store.work.postpone(work, clock.now());
        throw error;
      }
    }
  };

  /** Moves the clock by `ms`, doing work when it is due. */
  const pass = async (ms: number): Promise<void> => {
    const end = later(clock.now(), ms);
    for (;;) {
      await settle();
      const due = await store.work.nextDue();
      if (due === null || due > end) break;
      await clock.advance(Math.max(due - clock.now(), 0));
    }
    await clock.advance(end - clock.now());
    await settle();
  };

  const proposeEdit = async (command: FleetEdit): Promise<Proposal> => {
    const deviceId = command.kind === 'device-edit' ? DEVICE : null;
    const subject = { deviceId, organizationId: ORGANIZATION, command, now: clock.now() };
    const found = await readForAction(fleet.reader, subject, 'person');
    if (found.kind !== 'edit') throw new Error('nothing to edit');
    return { command, targets: [found.facts], reason: null };
  };
  const propose = async (command: FleetAction): Promise<Proposal> => {
    if (isEdit(command)) return proposeEdit(command);
    const subject = { deviceId: DEVICE, organizationId: ORGANIZATION, command, now: clock.now() };
    const found = await readDeviceFor(fleet.reader, subject, 'person');
    if (found.kind === 'gone') throw new Error('no device to propose for');
    const facts = factsFromRead(found, command, { groupName: 'Servers', asOf: clock.now() });
    return { command, targets: [facts], reason: null };
  };
  let deliveries = 0;
  const order = async (command: FleetAction) => {
    deliveries += 1;
    const proposal = await propose(command);
    return { proposal, requester: ALICE, channel: OPS, requestKey: `delivery-${deliveries}` };
  };
  const ask = async (command: FleetAction): Promise<ApprovalRecord> => {
    const requested = await approvals.request(await order(command));
    if (requested.kind !== 'asked') throw new Error('it was started instead of asked');
    return requested.approval;
  };
  const start = async (command: FleetAction): Promise<OperationId> => {
    const requested = await approvals.request(await order(command));
    if (requested.kind !== 'started') throw new Error('it was asked instead of started');
    return requested.operation.id;
  };
  const approve = (approval: ApprovalRecord, person = BOB) =>
    approvals.decide({
      approvalId: approval.id,
      person,
      role: 'approver',
      decision: 'approve',
      seal: approval.seal,
    });
  /** Requests a reboot, then changes something, then approves the unchanged card. */
  const approveAfter = async (change: () => void): Promise<ApprovalRecord> => {
    const approval = await ask({ kind: 'reboot' });
    change();
    await approve(approval);
    await settle();
    return approval;
  };
  const approvalNow = async ({ id }: Pick<ApprovalRecord, 'id'>): Promise<ApprovalRecord> => {
    const found = await store.approvals.get(id);
    if (found === null) throw new Error('no such approval');
    return found;
  };
  const targetOf = async (id: OperationId | null): Promise<TargetRecord> => {
    const operation = id === null ? null : await store.operations.get(id);
    const [target] = operation?.targets ?? [];
    if (target === undefined) throw new Error('no such operation');
    return target;
  };
  /** The one target of the operation for this approval. */
  const targetFor = async (approval: Pick<ApprovalRecord, 'id'>) =>
    targetOf((await approvalNow(approval)).operationId);
  const actions = async () => (await store.audit.list(0, 1000)).map(({ action }) => action);
  const close = async (): Promise<void> => {
    clock.stop();
    await store.close();
  };

  const requesting = { order, ask, start, approve, approveAfter };
  const seeing = { approvalNow, targetOf, targetFor, actions };
  return {
    store,
    clock,
    fleet,
    desk: approvals,
    operations,
    learned,
    handle,
    settle,
    pass,
    close,
    ...requesting,
    ...seeing,
  };
}
