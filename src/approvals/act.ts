/**
 * Acting on an approval: what was approved is what runs. The facts are read again; whatever changed sends it back to
 * the approver, and nothing was sent. Otherwise one transaction claims it for one operation, and only then is the
 * command sent.
 */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../clock.ts';
import { FleetFailure } from '../fleet/fleet.ts';
import { type ApprovalId, approvalId, type DeviceId, newOperationId, operationId } from '../ids.ts';
import { claimOf } from '../operations/edit-claim.ts';
import type { Surveyed } from '../operations/edit-survey.ts';
import { targetAudit } from '../operations/move.ts';
import type { Operations } from '../operations/operations.ts';
import { readyTarget } from '../operations/target.ts';
import { tellEnd } from '../operations/telling.ts';
import { unlessUnderWay } from '../operations/under-way.ts';
import type { OnStep } from '../steps.ts';
import type { ApprovalRecord, ClaimedWork, OperationRecord, TargetRecord } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { createChange } from './change.ts';
import { createHandBack } from './hand-back.ts';
import { orPaused, Paused, unlessPaused } from './pause.ts';
import { EXPIRY_MS } from './policy.ts';
import { type Reread, type RereadOptions, readAgain } from './reread.ts';

export type ActHandlerOptions = RereadOptions & {
  readonly store: Store;
  readonly operations: Pick<Operations, 'send' | 'act'>;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: () => boolean;
  /** Wakes the worker. */
  readonly kick: () => void;
  readonly onStep?: OnStep | undefined;
};

/** Handler of `act` work, whose key is `approval:<id>` or `operation:<id>`. */
export function createActHandler(options: ActHandlerOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const actOnApproval = createActOnApproval(options);
  return async ({ key, attempts }) => {
    const id = key.slice(key.indexOf(':') + 1);
    if (key.startsWith('approval:')) return actOnApproval(approvalId(id), attempts);
    if (key.startsWith('operation:')) return options.operations.act(operationId(id), attempts);
    throw new Error('act work with an unknown key');
  };
}

function createActOnApproval(options: ActHandlerOptions) {
  const { store, clock, operations, kick, isStopping = () => false, onStep } = options;
  const change = createChange({ store, clock });
  const handBack = createHandBack({ change, clock });

  const carryOut = async (approval: ApprovalRecord, found: readonly Surveyed[]): Promise<WorkResult> => {
    const wanted = operationFor(approval, found, clock);
    let operation = wanted;
    const event = { kind: 'claim', operationId: wanted.id } as const;
    const also = async (tables: Tables): Promise<void> => {
      await unlessPaused(tables, approval.decidedAt);
      operation = await unlessOthers(tables, wanted, clock.now());
      const inserted = await tables.operations.insert(operation);
      if (inserted.kind === 'exists') throw new Error(`approval ${approval.id} has an operation already`);
      for (const target of operation.targets) await tables.audit.append(targetAudit(target, clock.now()));
      await tellEnd(tables, operation.id, clock.now());
    };
    const changed = await orPaused(() => change(approval.id, event, also));
    if (changed instanceof Paused) return handBack.paused(approval, changed.pause);
    if (changed.kind !== 'changed') return { kind: 'again', dueAt: later(clock.now(), SECOND) };
    await onStep?.('operation.claimed');
    const claimed = operation.targets.filter(({ state }) => state === 'issuing');
    await operations.send(operation, claimed);
    return { kind: 'done' };
  };

  const goOn = (approval: ApprovalRecord, read: Reread): Promise<WorkResult> => {
    const changes = [...read.changes, ...tooLate(approval, clock.now())];
    if (changes.length > 0) return handBack.changed(approval, { ...read, changes });
    // A command begun now might be cut short, and its outcome would be unknown.
    if (isStopping()) return Promise.resolve({ kind: 'again', dueAt: clock.now() });
    return carryOut(approval, read.found);
  };

  const reread = (approval: ApprovalRecord): Promise<Reread | FleetFailure> =>
    readAgain(approval, options).catch((error: unknown) => {
      if (error instanceof FleetFailure) return error;
      throw error;
    });

  return async (id: ApprovalId, attempts: number): Promise<WorkResult> => {
    const approval = await store.approvals.get(id);
    if (approval === null || approval.state !== 'approved') return { kind: 'done' };
    if (approval.operationId !== null) return operations.act(approval.operationId, attempts);
    const read = await reread(approval);
    const result = await (read instanceof FleetFailure
      ? handBack.unread(approval, read.error, attempts)
      : goOn(approval, read));
    kick();
    return result;
  };
}

/** The operation with its claims as far as the devices' other commands allow them. */
async function unlessOthers(
  tables: Tables,
  operation: OperationRecord,
  now: Instant,
): Promise<OperationRecord> {
  const { command } = operation;
  const targets: TargetRecord[] = [];
  for (const target of operation.targets) {
    targets.push(await unlessUnderWay(tables, { command, target, now, askedAt: now }));
  }
  return { ...operation, targets };
}

/** We may have been down since the approval; nobody expects a reboot hours later. */
function tooLate({ decidedAt }: ApprovalRecord, now: Instant): readonly string[] {
  if (decidedAt === null || now < later(decidedAt, EXPIRY_MS)) return [];
  return [`more than ${EXPIRY_MS / MINUTE} minutes passed since the approval`];
}

function deviceOf(surveyed: Surveyed): DeviceId | null {
  return surveyed.kind === 'edit' ? surveyed.facts.deviceId : surveyed.device.id;
}

function operationFor(approval: ApprovalRecord, found: readonly Surveyed[], clock: Clock): OperationRecord {
  const { organizationId, command, requesterId, requestKey, reason, targets } = approval;
  const id = newOperationId();
  const now = clock.now();
  const claimed = targets.flatMap((facts) => {
    const one = found.find((surveyed) => deviceOf(surveyed) === facts.deviceId);
    return one === undefined ? [] : [claimOf(readyTarget(id, facts, now), one, now)];
  });
  const head = { organizationId, id, version: 1, approvalId: approval.id, command };
  return { ...head, requesterId, requestKey, reason, createdAt: now, targets: claimed };
}
