/**
 * Sends claimed commands and edits: the one holder of the fleet's writer and editor. A claim is sent by whoever committed it, right
 * after the commit and once. A claim found later, whose sender ended, may have been sent: it is looked for in the
 * queue and never sent again, because the service has no idempotency key (§4.3).
 */
import { type Clock, type Instant, wallNow } from '../clock.ts';
import type { FleetEditor } from '../fleet/edits.ts';
import type { FleetWriter } from '../fleet/fleet.ts';
import type { FleetCommand } from '../fleet/model.ts';
import { isEdit } from '../fleet/orders.ts';
import { type Log, silentLog } from '../log.ts';
import type { OnStep } from '../steps.ts';
import type { OperationRecord, TargetRecord } from '../store/records.ts';
import { afterEditStop } from './edit-outcome.ts';
import { type Learner, sendEdit } from './edit-run.ts';
import type { MoveTarget } from './move.ts';
import { isFollowed } from './proof.ts';
import { nextLook } from './schedule.ts';
import { createStopped, type Stopped, type StoppedOptions } from './stopped.ts';
import { afterSending, afterStop } from './target.ts';
import type { Due } from './too-late.ts';

export type Runner = {
  /** Sends these claims, as far as it is not too late. Only for the caller whose transaction wrote them. */
  readonly send: (operation: OperationRecord, claimed: readonly TargetRecord[], due: Due) => Promise<void>;
  /** Takes over the claims of a sender that ended. */
  readonly recover: (operation: OperationRecord) => Promise<void>;
};

/** The pause and the age are looked at before everything that is sent: a claim may wait long for its turn. */
export type RunnerOptions = StoppedOptions & {
  readonly writer: FleetWriter;
  readonly editor: FleetEditor;
  /** Takes things as they read after an edit. */
  readonly learner?: Learner;
  readonly move: MoveTarget;
  readonly clock: Clock;
  /** Wakes the worker. */
  readonly kick: () => void;
  readonly log?: Log;
  readonly onStep?: OnStep | undefined;
};

export function createRunner(options: RunnerOptions): Runner {
  const { writer, editor, learner, move, clock, kick, log = silentLog, onStep } = options;
  /** One line for each device that something was sent to. */
  const noteSent = (
    { id, approvalId, command }: OperationRecord,
    next: TargetRecord,
    began: Instant,
  ): void => {
    const about = { operation: id, approval: approvalId, command: command.kind, device: next.deviceId };
    log.info(
      { event: 'operation.sent', ...about, outcome: next.state, ms: wallNow() - began },
      'command sent',
    );
  };

  /** Another replica may have taken this claim for a dead sender's; the answer is the better knowledge. */
  const record = async (operation: OperationRecord, next: TargetRecord): Promise<void> => {
    const followAt = isFollowed(next) ? nextLook(next, next.before.connected, clock.now()) : undefined;
    const what = { operation, next, ...(followAt === undefined ? {} : { followAt }) };
    if ((await move({ ...what, from: 'issuing' })) === null) await move({ ...what, from: 'unknown' });
  };

  const issue = async (
    operation: OperationRecord,
    command: FleetCommand,
    { claimed, stopped }: { readonly claimed: TargetRecord; readonly stopped: Stopped },
  ) => {
    if (claimed.deviceId === null) throw new Error(`operation ${operation.id} has a command to no device`);
    const held = await stopped.since(claimed);
    if (held !== null) return record(operation, held);
    const began = wallNow();
    const outcome = await writer.issue(claimed.deviceId, command);
    if (outcome.kind === 'withheld') return record(operation, await stopped.withheld(claimed));
    await onStep?.('operation.sent');
    const next = afterSending(claimed, outcome, clock.now());
    noteSent(operation, next, began);
    await record(operation, next);
    if (outcome.kind === 'accepted') await onStep?.('operation.accepted');
    kick();
  };

  return {
    send: async (operation, all, due) => {
      const { command } = operation;
      const stopped = createStopped(options, due);
      if (!isEdit(command)) {
        for (const claimed of all) await issue(operation, command, { claimed, stopped });
        kick();
        return;
      }
      const began = wallNow();
      await sendEdit({ editor, learner, clock, stopped }, { edit: command, claimed: all }, async (next) => {
        if (next.state !== 'not_sent') {
          await onStep?.('operation.sent');
          noteSent(operation, next, began);
        }
        await record(operation, next);
        if (next.state === 'verified') await onStep?.('operation.verified');
        kick();
      });
    },
    recover: async (operation) => {
      for (const target of operation.targets.filter(({ state }) => state === 'issuing')) {
        const next = isEdit(operation.command) ? afterEditStop(target) : afterStop(target);
        await move({ operation, from: 'issuing', next, followAt: clock.now() });
      }
      kick();
    },
  };
}
