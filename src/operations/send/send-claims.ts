/**
 * Sends claimed commands and edits: the one holder of the fleet's writer and editor. A claim is sent by whoever committed it, right
 * after the commit and once. A claim found later, whose sender ended, may have been sent: it is looked for in the
 * queue and never sent again, because the service has no idempotency key (§4.3).
 */

import type { FleetWriter } from '../../fleet/fleet.ts';
import { isEdit } from '../../fleet/model/actions.ts';
import type { FleetEditor } from '../../fleet/model/edits.ts';
import type { FleetCommand } from '../../fleet/model/resources.ts';
import { type Clock, type Instant, wallNow } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import type { OperationRecord, TargetRecord } from '../../store/port/records.ts';
import { targetAfterInterruption, targetAfterSending } from '../claim/target.ts';
import { nextLookAt } from '../look-schedule.ts';
import { targetAfterInterruptedEdit } from '../proof/edit-outcome.ts';
import { isFollowed } from '../proof/evaluate-target.ts';
import type { RecordTransition } from '../record-transition.ts';
import type { DueSince } from './send-check.ts';
import { createSendCheck, type SendCheck, type SendCheckOptions } from './send-check.ts';
import { type FleetChangeListener, sendEdit } from './send-edit.ts';

export type ClaimSender = {
  /** Sends these claims, as far as it is not too late. Only for the caller whose transaction wrote them. */
  readonly send: (
    operation: OperationRecord,
    claimed: readonly TargetRecord[],
    due: DueSince,
  ) => Promise<void>;
  /** Takes over the claims of a sender that ended. */
  readonly recover: (operation: OperationRecord) => Promise<void>;
};

/** The pause and the age are looked at before everything that is sent: a claim may wait long for its turn. */
export type ClaimSenderOptions = SendCheckOptions & {
  readonly writer: FleetWriter;
  readonly editor: FleetEditor;
  /** Takes things as they read after an edit. */
  readonly changeListener?: FleetChangeListener;
  readonly recordTransition: RecordTransition;
  readonly clock: Clock;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly log?: Log;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export function createClaimSender(options: ClaimSenderOptions): ClaimSender {
  const {
    writer,
    editor,
    changeListener,
    recordTransition,
    clock,
    wakeWorker,
    log = silentLog,
    onFailpoint,
  } = options;
  /** One line for each device that something was sent to. */
  const logSent = (
    { id, approvalId, command }: OperationRecord,
    next: TargetRecord,
    startedAt: Instant,
  ): void => {
    const about = { operation: id, approval: approvalId, command: command.kind, device: next.deviceId };
    log.info(
      { event: 'operation.sent', ...about, outcome: next.state, ms: wallNow() - startedAt },
      'command sent',
    );
  };

  /** Another replica may have taken this claim for a dead sender's; the answer is the better knowledge. */
  const record = async (operation: OperationRecord, next: TargetRecord): Promise<void> => {
    const followAt = isFollowed(next) ? nextLookAt(next, next.before.connected, clock.now()) : undefined;
    const what = { operation, next, ...(followAt === undefined ? {} : { followAt }) };
    if ((await recordTransition({ ...what, from: 'issuing' })) === null)
      await recordTransition({ ...what, from: 'unknown' });
  };

  const issue = async (
    operation: OperationRecord,
    command: FleetCommand,
    { claimed, stopped: sendCheck }: { readonly claimed: TargetRecord; readonly stopped: SendCheck },
  ) => {
    if (claimed.deviceId === null) throw new Error(`operation ${operation.id} has a command to no device`);
    const unsentTarget = await sendCheck.unsentTarget(claimed);
    if (unsentTarget !== null) return record(operation, unsentTarget);
    const startedAt = wallNow();
    const outcome = await writer.issue(claimed.deviceId, command);
    if (outcome.kind === 'withheld') return record(operation, await sendCheck.withheldTarget(claimed));
    await onFailpoint?.('operation.sent');
    const next = targetAfterSending(claimed, outcome, clock.now());
    logSent(operation, next, startedAt);
    await record(operation, next);
    if (outcome.kind === 'accepted') await onFailpoint?.('operation.accepted');
    wakeWorker();
  };

  return {
    send: async (operation, all, due) => {
      const { command } = operation;
      const sendCheck = createSendCheck(options, due);
      if (!isEdit(command)) {
        for (const claimed of all) await issue(operation, command, { claimed, stopped: sendCheck });
        wakeWorker();
        return;
      }
      const startedAt = wallNow();
      await sendEdit(
        { editor, changeListener, clock, sendCheck },
        { edit: command, claimed: all },
        async (next) => {
          if (next.state !== 'not_sent') {
            await onFailpoint?.('operation.sent');
            logSent(operation, next, startedAt);
          }
          await record(operation, next);
          if (next.state === 'verified') await onFailpoint?.('operation.verified');
          wakeWorker();
        },
      );
    },
    recover: async (operation) => {
      for (const target of operation.targets.filter(({ state }) => state === 'issuing')) {
        const next = isEdit(operation.command)
          ? targetAfterInterruptedEdit(target)
          : targetAfterInterruption(target);
        await recordTransition({ operation, from: 'issuing', next, followAt: clock.now() });
      }
      wakeWorker();
    },
  };
}
