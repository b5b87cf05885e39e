/**
 * Acting on an approval: what was approved is what runs. The facts are read again; whatever changed sends it back to
 * the approver, and nothing was sent. Otherwise one transaction claims it for one operation, and only then is the
 * command sent.
 */
import { type Clock, type Instant, later, SECOND } from '../clock.ts';
import { FleetFailure } from '../fleet/fleet.ts';
import { type ApprovalId, approvalId, type DeviceId, operationId } from '../ids.ts';
import { claimOf } from '../operations/edit-claim.ts';
import type { Surveyed } from '../operations/edit-survey.ts';
import type { Operations } from '../operations/operations.ts';
import { retryBefore } from '../operations/schedule.ts';
import { readyTarget } from '../operations/target.ts';
import { type Due, tooLate, unreadText } from '../operations/too-late.ts';
import { unlessUnderWay } from '../operations/under-way.ts';
import type { OnStep } from '../steps.ts';
import type { ApprovalRecord, ClaimedWork, OperationRecord, TargetRecord } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import { createChange } from './change.ts';
import { createEndUnsent, operationHead, storeOperation } from './end-unsent.ts';
import { createHandBack } from './hand-back.ts';
import { orPaused, Paused, unlessPaused } from './pause.ts';
import { type Reread, type RereadOptions, readAgain } from './reread.ts';

export type ActHandlerOptions = RereadOptions & {
  readonly store: Store;
  readonly operations: Pick<Operations, 'send' | 'act'>;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: () => boolean;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
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
  const { store, clock, operations, maxAgeMs, kick, isStopping = () => false, onStep } = options;
  const change = createChange({ store, clock });
  const endUnsent = createEndUnsent({ change, clock });
  const handBack = createHandBack({ change, endUnsent });

  const carryOut = async (approval: ApprovalRecord, found: readonly Surveyed[]): Promise<WorkResult> => {
    const wanted = operationFor(approval, found, clock);
    let operation = wanted;
    const event = { kind: 'claim', operationId: wanted.id } as const;
    const also = async (tables: Tables): Promise<void> => {
      await unlessPaused(tables, approval.decidedAt);
      operation = await unlessOthers(tables, wanted, clock.now());
      await storeOperation(tables, operation, clock);
    };
    const changed = await orPaused(() => change(approval.id, event, also));
    if (changed instanceof Paused) return handBack.paused(approval, changed.pause);
    if (changed.kind !== 'changed') return { kind: 'again', dueAt: later(clock.now(), SECOND) };
    await onStep?.('operation.claimed');
    const claimed = operation.targets.filter(({ state }) => state === 'issuing');
    await operations.send(operation, claimed, dueOf(approval));
    return { kind: 'done' };
  };

  const goOn = (approval: ApprovalRecord, read: Reread): Promise<WorkResult> => {
    // Reading takes its time, too.
    const late = tooLate(dueOf(approval), maxAgeMs, clock.now());
    if (late !== null) return endUnsent(approval, late);
    if (read.changes.length > 0) return handBack.changed(approval, read);
    // A command begun now might be cut short, and its outcome would be unknown.
    if (isStopping()) return Promise.resolve({ kind: 'again', dueAt: clock.now() });
    return carryOut(approval, read.found);
  };

  /** A service that cannot be read is tried again as long as something may be sent. `attempts`: reads before this one. */
  const unread = async (
    approval: ApprovalRecord,
    { error }: FleetFailure,
    attempts: number,
  ): Promise<WorkResult> => {
    const end = later(dueOf(approval).since, maxAgeMs);
    const dueAt = retryBefore(end, { error, attempts, now: clock.now() });
    return dueAt === null ? endUnsent(approval, unreadText(error)) : { kind: 'again', dueAt };
  };

  const readAndGoOn = async (approval: ApprovalRecord, attempts: number): Promise<WorkResult> => {
    const late = tooLate(dueOf(approval), maxAgeMs, clock.now());
    if (late !== null) return endUnsent(approval, late);
    const read = await reread(approval);
    return read instanceof FleetFailure ? unread(approval, read, attempts) : goOn(approval, read);
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
    const result = await readAndGoOn(approval, attempts);
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

/** An approval that was given counts from then. */
function dueOf({ decidedAt, createdAt }: ApprovalRecord): Due {
  return { since: decidedAt ?? createdAt, how: 'approved' };
}

function deviceOf(surveyed: Surveyed): DeviceId | null {
  return surveyed.kind === 'edit' ? surveyed.facts.deviceId : surveyed.device.id;
}

function operationFor(approval: ApprovalRecord, found: readonly Surveyed[], clock: Clock): OperationRecord {
  const head = operationHead(approval, clock);
  const now = clock.now();
  const targets = approval.targets.flatMap((facts) => {
    const one = found.find((surveyed) => deviceOf(surveyed) === facts.deviceId);
    return one === undefined ? [] : [claimOf(readyTarget(head.id, facts, now), one, now)];
  });
  return { ...head, targets };
}
