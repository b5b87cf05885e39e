/**
 * Runs a request: what was approved is what runs. The facts are read again; whatever changed returns it to its
 * approvers, and nothing was sent. Then its target is claimed and sent; of several, those of the wave (`run-rollout.ts`).
 */
import { type FleetError, FleetFailure } from '../../fleet/fleet.ts';
import { later, MINUTE, SECOND } from '../../lib/clock.ts';
import { requestId } from '../../lib/ids.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import { errorFactsOf } from '../clip.ts';
import { PROOF_AGE_MS } from '../decide/prove-rights.ts';
import { mayBeClaimed, retryBefore } from '../look-schedule.ts';
import { afterInterruption, dueSince, isShownAlike, notReadYet } from '../target-transitions.ts';
import { createClaimAndSend } from './claim-and-send.ts';
import type { EndNotSent } from './ledger.ts';
import { type CheckedTarget, driftedOf, isNoLongerNeeded, recheckTarget } from './recheck.ts';
import { createRunRollout, type RolloutOptions } from './run-rollout.ts';
import { tooLate } from './send-check.ts';

export type RunOptions = Omit<RolloutOptions, 'claimAndSend'> & { readonly endNotSent: EndNotSent };

/** Handler of `run` work, whose key is the request's id. */
export function createRunHandler(options: RunOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const { store, clock, recordMoves, endNotSent, returnForApproval, proveRights, wakeWorker } = options;
  const claimAndSend = createClaimAndSend(options);
  const runRollout = createRunRollout({ ...options, claimAndSend });

  /** Claims of a sender that ended may have been sent: they are looked for, and never sent again. */
  const takeOver = async (request: RequestRecord): Promise<void> => {
    const issuing = await store.targets.of(request.id, { states: ['issuing'] });
    if (issuing.length === 0) return;
    const nextAt = clock.now();
    const moves = issuing.map((target) => ({
      from: 'issuing' as const,
      next: { ...afterInterruption(target), nextAt },
    }));
    await recordMoves(request, moves);
    wakeWorker();
  };

  const sendProved = async (
    { request, target, attempts }: ReadyTarget,
    checked: Extract<SealedCheck, { kind: 'checked' }>,
  ): Promise<SealedCheck> => {
    const ready = [target];
    const proof = await proveRights(request);
    switch (proof.kind) {
      case 'proved':
        await claimAndSend({ request, ready, attempts, provedUntil: proof.until, checked: checked.targets });
        return checked;
      case 'unread':
        return { kind: 'again', dueAt: later(clock.now(), PROOF_AGE_MS) };
      case 'lost':
        if (proof.who === 'approver') await returnForApproval.unapproved(request, target);
        else await endNotSent(request, target, [{ kind: 'rights-lost', who: 'requester' }]);
        return { kind: 'returned' };
    }
  };

  return async ({ key, attempts, dueAt: wasDueAt }) => {
    const request = await store.requests.get(requestId(key));
    if (request === null || (request.state !== 'approved' && request.state !== 'running'))
      return { kind: 'done' };
    await takeOver(request);
    if (request.rollout !== null)
      return runRollout({ request, rollout: request.rollout, attempts, wasDueAt });
    const late = tooLate(dueSince(request), options.maxAgeMs, clock.now());
    // Without a plan there is one.
    const [target] = await store.targets.of(request.id, { states: ['ready'] });
    if (target === undefined) return nextRun(options, request);
    if (late !== null) {
      const unread = request.note?.kind === 'rights-unread' ? [request.note] : [];
      await endNotSent(request, target, [late, ...unread]);
      wakeWorker();
      return { kind: 'done' };
    }
    const ready = { request, target, attempts };
    const checked = await checkSealed(options, ready);
    const end = checked.kind === 'checked' ? await sendProved(ready, checked) : checked;
    wakeWorker();
    return end.kind === 'again' ? end : nextRun(options, request);
  };
}

type ReadyTarget = {
  readonly request: RequestRecord;
  readonly target: RequestTarget;
  readonly attempts: number;
};

type SealedCheck =
  /** Empty where nothing is sealed: the target is read right before its claim. */
  | { readonly kind: 'checked'; readonly targets: readonly CheckedTarget[] }
  | { readonly kind: 'returned' }
  | Extract<WorkResult, { kind: 'again' }>;

/** As long as an approved request was not claimed, whatever changed returns it. */
async function checkSealed(
  options: RunOptions,
  { request, target, attempts }: ReadyTarget,
): Promise<SealedCheck> {
  const { clock, maxAgeMs, returnForApproval, endNotSent } = options;
  const due = dueSince(request);
  if (request.expiresAt === null || request.state !== 'approved' || due === null)
    return { kind: 'checked', targets: [] };
  try {
    const checked = await recheckTarget(options, request, target);
    // Reading takes its time, too.
    const late = tooLate(due, maxAgeMs, clock.now());
    const drifted = driftedOf(checked);
    if (late !== null) await endNotSent(request, target, [late]);
    else if (drifted === null) return { kind: 'checked', targets: [checked] };
    else if (isNoLongerNeeded(drifted)) await endNotSent(request, target, [{ kind: 'not-needed' }]);
    else await returnForApproval.changed(request, drifted);
    return { kind: 'returned' };
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    const end = later(due.since, maxAgeMs);
    const dueAt = retryBefore(end, { error: error.error, attempts, now: clock.now() });
    if (dueAt !== null) {
      await sayUnread(options, { request, target }, error.error);
      return { kind: 'again', dueAt };
    }
    await endNotSent(request, target, [{ kind: 'unread', error: errorFactsOf(error.error) }]);
    return { kind: 'returned' };
  }
}

/** People wait for it, and the cause may last. */
async function sayUnread(
  { recordMoves, wakeWorker }: RunOptions,
  { request, target }: Pick<ReadyTarget, 'request' | 'target'>,
  error: FleetError,
): Promise<void> {
  const next = notReadYet(target, error, target.nextAt);
  if (isShownAlike(target, next)) return;
  await recordMoves(request, [{ from: 'ready', next }]);
  wakeWorker();
}

/**
 * When it may be claimed again. What another run claimed beside this one is looked at later: that run may end before it
 * records an outcome.
 */
async function nextRun({ store, clock }: RunOptions, { id }: RequestRecord): Promise<WorkResult> {
  const request = await store.requests.get(id);
  if (request === null || (request.state !== 'approved' && request.state !== 'running'))
    return { kind: 'done' };
  const now = clock.now();
  const [left] = await store.targets.of(id, { states: ['ready', 'issuing'] });
  if (left === undefined) return { kind: 'done' };
  if (left.state === 'issuing') return { kind: 'again', dueAt: later(now, MINUTE) };
  const waits = mayBeClaimed(left, now) ? null : left.nextAt;
  return { kind: 'again', dueAt: waits ?? later(now, SECOND) };
}
