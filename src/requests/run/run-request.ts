/**
 * Runs a request: what was approved is what runs. The facts are read again; whatever changed returns it to its
 * approvers, and nothing was sent. Then its targets are claimed and sent.
 */

import { type FleetError, FleetFailure } from '../../fleet/fleet.ts';
import { later, MINUTE, SECOND } from '../../lib/clock.ts';
import { requestId } from '../../lib/ids.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { ClaimedWork } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import { PROOF_AGE_MS } from '../decide/prove-rights.ts';
import { errorFactsOf } from '../error-facts.ts';
import { retryBefore } from '../look-schedule.ts';
import { isShownAlike } from '../shown-alike.ts';
import { afterInterruption, dueSince, notReadYet } from '../target.ts';
import { createClaimAndSend, type ReadyTargets } from './claim-and-send.ts';
import type { EndNotSent } from './ledger.ts';
import { type CheckedTarget, driftedOf, isNoLongerNeeded, recheckTargets } from './recheck.ts';
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
    request: RequestRecord,
    { ready, attempts }: Omit<ReadyTargets, 'request'>,
    checked: Extract<SealedCheck, { kind: 'checked' }>,
  ): Promise<SealedCheck> => {
    const proof = await proveRights(request);
    switch (proof.kind) {
      case 'proved':
        await claimAndSend({ request, ready, attempts, provedUntil: proof.until, checked: checked.targets });
        return checked;
      case 'unread':
        return { kind: 'again', dueAt: later(clock.now(), PROOF_AGE_MS) };
      case 'lost':
        if (proof.who === 'approver') await returnForApproval.unapproved(request, ready);
        else await endNotSent(request, ready, [{ kind: 'rights-lost', who: 'requester' }]);
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
    const ready = await store.targets.of(request.id, { states: ['ready'] });
    if (ready.length === 0) return nextRun(options, request);
    if (late !== null) {
      const unread = request.note?.kind === 'rights-unread' ? [request.note] : [];
      await endNotSent(request, ready, [late, ...unread]);
      wakeWorker();
      return { kind: 'done' };
    }
    const checked = await checkSealed(options, { request, ready, attempts });
    const end =
      checked.kind === 'checked' ? await sendProved(request, { ready, attempts }, checked) : checked;
    wakeWorker();
    return end.kind === 'again' ? end : nextRun(options, request);
  };
}

type SealedCheck =
  /** Empty where nothing is sealed: each target is read right before its claim. */
  | { readonly kind: 'checked'; readonly targets: readonly CheckedTarget[] }
  | { readonly kind: 'returned' }
  | Extract<WorkResult, { kind: 'again' }>;

/** As long as nothing of an approved request was claimed, whatever changed returns all of it. */
async function checkSealed(
  options: RunOptions,
  { request, ready, attempts }: ReadyTargets,
): Promise<SealedCheck> {
  const { clock, maxAgeMs, returnForApproval, endNotSent } = options;
  const due = dueSince(request);
  if (request.expiresAt === null || request.state !== 'approved' || due === null)
    return { kind: 'checked', targets: [] };
  try {
    const targets = await recheckTargets(options, request, ready);
    // Reading takes its time, too.
    const late = tooLate(due, maxAgeMs, clock.now());
    const drifted = driftedOf(targets);
    if (late !== null) await endNotSent(request, ready, [late]);
    else if (targets.length > 0 && drifted.filter(isNoLongerNeeded).length === targets.length)
      await endNotSent(request, ready, [{ kind: 'not-needed' }]);
    else if (drifted.length > 0) await returnForApproval.changed(request, targets);
    else return { kind: 'checked', targets };
    return { kind: 'returned' };
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    const end = later(due.since, maxAgeMs);
    const dueAt = retryBefore(end, { error: error.error, attempts, now: clock.now() });
    if (dueAt !== null) {
      await sayUnread(options, request, { ready, error: error.error });
      return { kind: 'again', dueAt };
    }
    await endNotSent(request, ready, [{ kind: 'unread', error: errorFactsOf(error.error) }]);
    return { kind: 'returned' };
  }
}

/** People wait for it, and the cause may last. */
async function sayUnread(
  { recordMoves, wakeWorker }: RunOptions,
  request: RequestRecord,
  { ready, error }: { readonly ready: readonly RequestTarget[]; readonly error: FleetError },
): Promise<void> {
  const moves = ready.flatMap((target) => {
    const next = notReadYet(target, error, target.nextAt);
    return isShownAlike(target, next) ? [] : [{ from: 'ready', next } as const];
  });
  if (moves.length === 0) return;
  await recordMoves(request, moves);
  wakeWorker();
}

/**
 * When something of it may be claimed again. What another run claimed beside this one is looked at later: that run may
 * end before it records an outcome.
 */
async function nextRun({ store, clock }: RunOptions, { id }: RequestRecord): Promise<WorkResult> {
  const request = await store.requests.get(id);
  if (request === null || (request.state !== 'approved' && request.state !== 'running'))
    return { kind: 'done' };
  const now = clock.now();
  const [due] = await store.targets.claimable(id, now, 1);
  if (due !== undefined) return { kind: 'again', dueAt: later(now, SECOND) };
  const dueAt = await store.targets.nextAt(id, ['ready']);
  if (dueAt !== null) return { kind: 'again', dueAt };
  // In one read: what another run claimed may have become ready again since the reads above.
  const [left] = await store.targets.of(id, { states: ['ready', 'issuing'], limit: 1 });
  return left === undefined ? { kind: 'done' } : { kind: 'again', dueAt: later(now, MINUTE) };
}
