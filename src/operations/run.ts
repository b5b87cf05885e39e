/**
 * Sends claimed commands: the one holder of the fleet's writer. A claim is sent by whoever committed it, right
 * after the commit and once. A claim found later, whose sender ended, may have been sent: it is looked for in the
 * queue and never sent again, because the service has no idempotency key (§4.3).
 */
import type { Clock } from '../clock.ts';
import type { FleetWriter } from '../fleet/fleet.ts';
import type { OnStep } from '../steps.ts';
import type { OperationRecord, TargetRecord } from '../store/records.ts';
import type { MoveTarget } from './move.ts';
import { isFollowed } from './proof.ts';
import { nextLook } from './schedule.ts';
import { afterSending, afterStop } from './target.ts';

export type Runner = {
  /** Sends this claim. Only for the caller whose transaction wrote it. */
  readonly send: (operation: OperationRecord, claimed: TargetRecord) => Promise<void>;
  /** Takes over the claims of a sender that ended. */
  readonly recover: (operation: OperationRecord) => Promise<void>;
};

export type RunnerOptions = {
  readonly writer: FleetWriter;
  readonly move: MoveTarget;
  readonly clock: Clock;
  /** Wakes the worker. */
  readonly kick: () => void;
  readonly onStep?: OnStep | undefined;
};

export function createRunner({ writer, move, clock, kick, onStep }: RunnerOptions): Runner {
  /** Another replica may have taken this claim for a dead sender's; the answer is the better knowledge. */
  const record = async (operation: OperationRecord, next: TargetRecord): Promise<void> => {
    const followAt = isFollowed(next) ? nextLook(next, next.before.connected, clock.now()) : undefined;
    const what = { operation, next, ...(followAt === undefined ? {} : { followAt }) };
    if ((await move({ ...what, from: 'issuing' })) === null) await move({ ...what, from: 'unknown' });
  };

  return {
    send: async (operation, claimed) => {
      const outcome = await writer.issue(claimed.deviceId, operation.command);
      await onStep?.('operation.sent');
      await record(operation, afterSending(claimed, outcome, clock.now()));
      if (outcome.kind === 'accepted') await onStep?.('operation.accepted');
      kick();
    },
    recover: async (operation) => {
      for (const target of operation.targets.filter(({ state }) => state === 'issuing')) {
        await move({ operation, from: 'issuing', next: afterStop(target), followAt: clock.now() });
      }
      kick();
    },
  };
}
