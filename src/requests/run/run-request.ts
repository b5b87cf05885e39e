/**
 * Runs a request: what was approved is what runs. The facts are read again; whatever changed returns it to its
 * approvers, and nothing was sent. Then each target is claimed by one transaction and sent right after it, never ahead:
 * a stop leaves at most the calls in flight unknown.
 */

import { FleetFailure } from '../../fleet/fleet.ts';
import { isGroupAction } from '../../fleet/model/actions.ts';
import { chunksOf } from '../../lib/chunks.ts';
import { type Clock, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { requestId } from '../../lib/ids.ts';
import type { ClaimedWork } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { WorkResult } from '../../store/work/worker.ts';
import { ChangesPaused, catchPaused } from '../decide/pause-switch.ts';
import { errorFactsOf } from '../error-facts.ts';
import type { ReadPorts } from '../kinds/kind.ts';
import { targetsPerCall } from '../kinds/kinds.ts';
import { retryBefore } from '../look-schedule.ts';
import { afterInterruption, dueSince, notSent } from '../target.ts';
import type { EndNotSent } from './end-not-sent.ts';
import type { RecordMoves, TargetMove } from './ledger.ts';
import { type CheckedTarget, recheckTarget, recheckTargets } from './recheck.ts';
import { driftNote, type ReturnForApproval } from './return-for-approval.ts';
import { tooLate } from './send-check.ts';
import type { SendClaims } from './send-claims.ts';

export type RunOptions = ReadPorts & {
  readonly store: Store;
  readonly clock: Clock;
  readonly recordMoves: RecordMoves;
  readonly sendClaims: SendClaims;
  readonly endNotSent: EndNotSent;
  readonly returnForApproval: ReturnForApproval;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: (() => boolean) | undefined;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** Calls in flight for one request: what the client of the service sends at once. */
const CALLS_AT_ONCE = 4;
/** Targets of a running request that are read at once; as many as one call changes at most. */
const CLAIMS_AT_A_TIME = 500;

/** Handler of `run` work, whose key is the request's id. */
export function createRunHandler(options: RunOptions): (work: ClaimedWork) => Promise<WorkResult> {
  const { store, clock, recordMoves, endNotSent, wakeWorker } = options;

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

  return async ({ key, attempts }) => {
    const request = await store.requests.get(requestId(key));
    if (request === null || (request.state !== 'approved' && request.state !== 'running'))
      return { kind: 'done' };
    await takeOver(request);
    const late = tooLate(dueSince(request), options.maxAgeMs, clock.now());
    // What may be sealed is read as a whole; of what runs already, a part at a time.
    const ready =
      late !== null || request.state === 'approved'
        ? await store.targets.of(request.id, { states: ['ready'] })
        : await store.targets.claimable(request.id, clock.now(), CLAIMS_AT_A_TIME);
    if (ready.length === 0) return nextRun(options, request);
    if (late !== null) {
      await endNotSent(request, ready, [late]);
      wakeWorker();
      return { kind: 'done' };
    }
    const checked = await checkSealed(options, { request, ready, attempts });
    if (checked.kind === 'checked')
      await sendAll(options, { request, ready, attempts, checked: checked.targets });
    wakeWorker();
    return checked.kind === 'again' ? checked : nextRun(options, request);
  };
}

type ReadyTargets = {
  readonly request: RequestRecord;
  readonly ready: readonly RequestTarget[];
  readonly attempts: number;
};

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
  if (request.expiresAt === null || request.state !== 'approved') return { kind: 'checked', targets: [] };
  const due = dueSince(request);
  try {
    const targets = await recheckTargets(options, request, ready);
    // Reading takes its time, too.
    const late = tooLate(due, maxAgeMs, clock.now());
    if (late !== null) await endNotSent(request, ready, [late]);
    else if (targets.some(({ drift }) => drift.length > 0)) await returnForApproval.changed(request, targets);
    else return { kind: 'checked', targets };
    return { kind: 'returned' };
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    const end = later(due.since, maxAgeMs);
    const dueAt = retryBefore(end, { error: error.error, attempts, now: clock.now() });
    if (dueAt !== null) return { kind: 'again', dueAt };
    await endNotSent(request, ready, [{ kind: 'unread', error: errorFactsOf(error.error) }]);
    return { kind: 'returned' };
  }
}

/** Several at once, as the client of the service has places; each is claimed only when its call is next. */
async function sendAll(
  options: RunOptions,
  given: ReadyTargets & { readonly checked: readonly CheckedTarget[] },
): Promise<void> {
  const { request, ready } = given;
  const checked = new Map(given.checked.map((one) => [one.target.position, one]));
  const now = options.clock.now();
  const due = ready.filter(({ nextAt }) => nextAt === null || nextAt <= now);
  const calls = chunksOf(due, targetsPerCall(request.action));
  const slot = async (): Promise<void> => {
    for (const targets of calls) {
      // A call begun now might be cut short, and its outcome would be unknown.
      if (options.isStopping?.() === true) return;
      // Whoever returns ends the list for the others, too.
      if (!(await claimAndSend(options, { ...given, targets, checked }))) return;
    }
  };
  // All of them end before the work does, so that no call of it goes on beside its next run.
  const ended = await Promise.allSettled(Array.from({ length: CALLS_AT_ONCE }, slot));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

type Call = Omit<ReadyTargets, 'ready'> & {
  readonly targets: readonly RequestTarget[];
  readonly checked: ReadonlyMap<number, CheckedTarget>;
};

/** False: nothing more of the request is claimed, because the process ends, or a pause returned it. */
async function claimAndSend(
  options: RunOptions,
  { request, targets, attempts, checked }: Call,
): Promise<boolean> {
  const { recordMoves, sendClaims, returnForApproval, isStopping, onFailpoint } = options;
  const moves: TargetMove[] = [];
  for (const target of targets) {
    const known = checked.get(target.position);
    const next = await prepare(options, { request, target, attempts, known });
    // When it is tried again is on no card.
    moves.push({ from: 'ready', next, quiet: next.state === 'ready' });
  }
  if (isStopping?.() === true) return false;
  const written = await catchPaused(() => recordMoves(request, moves));
  if (written instanceof ChangesPaused) {
    const ready = await options.store.targets.of(request.id, { states: ['ready'] });
    await returnForApproval.paused(request, ready, written.pause);
    return false;
  }
  const claimed = written.filter(({ state }) => state === 'issuing');
  if (claimed.length === 0) return true;
  await onFailpoint?.('target.claimed');
  await sendClaims(request, claimed, attempts);
  return true;
}

/** The claim of a target; or the target as it ends, or waits to be read again. */
async function prepare(
  options: RunOptions,
  {
    request,
    target,
    attempts,
    known,
  }: Omit<ReadyTargets, 'ready'> & {
    readonly target: RequestTarget;
    readonly known: CheckedTarget | undefined;
  },
): Promise<RequestTarget> {
  const { clock, maxAgeMs } = options;
  const due = dueSince(request);
  try {
    const { read, drift } = known ?? (await recheckTarget(options, request, target));
    const now = clock.now();
    const late = tooLate(due, maxAgeMs, now);
    if (late !== null) return notSent(target, late, now);
    if (read === null) {
      const thing = isGroupAction(request.action) ? 'group' : 'device';
      return notSent(target, { kind: 'gone', thing }, now);
    }
    // What nobody had to approve is sealed to nothing.
    if (request.expiresAt !== null && drift.length > 0)
      return notSent(target, driftNote(request, drift, 1), now);
    return read.claim(target, now);
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    const now = clock.now();
    const nextAt = retryBefore(later(due.since, maxAgeMs), { error: error.error, attempts, now });
    const unread = { kind: 'unread', error: errorFactsOf(error.error) } as const;
    return nextAt === null ? notSent(target, unread, now) : { ...target, nextAt };
  }
}

/**
 * When something of it may be claimed again. What another run claimed beside this one is looked at later: that run may
 * end before it records an outcome.
 */
async function nextRun({ store, clock }: RunOptions, { id }: RequestRecord): Promise<WorkResult> {
  const request = await store.requests.get(id);
  if (request === null || (request.state !== 'approved' && request.state !== 'running'))
    return { kind: 'done' };
  const [first] = await store.targets.of(id, { states: ['ready'], limit: 1 });
  if (first === undefined) {
    const [claimed] = await store.targets.of(id, { states: ['issuing'], limit: 1 });
    return claimed === undefined ? { kind: 'done' } : { kind: 'again', dueAt: later(clock.now(), MINUTE) };
  }
  const dueAt = first.nextAt === null ? null : await store.targets.nextAt(id, ['ready']);
  return { kind: 'again', dueAt: dueAt ?? later(clock.now(), SECOND) };
}
