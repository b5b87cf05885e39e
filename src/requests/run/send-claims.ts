/** Sends claimed targets, and records what became of each. */
import { type Clock, type Instant, monotonicNow, SECOND, waitOn, wallNow } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import { hasExpired } from '../../rollout/progress.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import { isUnsent } from '../../store/port/records.ts';
import { isFollowed, type RequestRecord, type RequestTarget } from '../../store/port/request-records.ts';
import { writeLaneOf } from '../lanes.ts';
import { nextTargetLookAt } from '../list-following.ts';
import { retryUnsentAt } from '../look-schedule.ts';
import { afterSending, dueSince, notSent, type SentOutcome, unsent, unsentBecause } from '../target.ts';
import type { CallFleet, CallOutcome } from './fleet-calls.ts';
import type { RecordMoves } from './ledger.ts';
import {
  type ClaimAge,
  createSendCheck,
  type SendCheckOptions,
  type SendDecision,
  tooLate,
} from './send-check.ts';

type RecordResults = (request: RequestRecord, results: readonly RequestTarget[]) => Promise<void>;

/** Between the tries; the first is made at once, because most failures are those of one connection. */
const PAUSES_MS = [0, SECOND / 4, SECOND / 2, SECOND, 2 * SECOND, 4 * SECOND, 4 * SECOND] as const;
/** No try begins later, however long those before took. */
const MAX_TRYING_MS = 15 * SECOND;

/**
 * What is known of a call is lost with its record, and the target would be unknown: so a write that fails is repeated
 * for some seconds. It only writes what still is as it was, so a repeated one does no harm.
 */
export function createRecordResults({
  recordMoves,
  clock,
}: {
  readonly recordMoves: RecordMoves;
  readonly clock: Clock;
}): RecordResults {
  /** Another replica may have taken a claim for a dead sender's; an answer is the better knowledge. */
  const record: RecordResults = async (request, results) => {
    const moves = results.map((next) => ({ from: 'issuing', next }) as const);
    const written = new Set((await recordMoves(request, moves)).map(({ position }) => position));
    const taken = moves.filter(({ next }) => !written.has(next.position) && next.state !== 'ready');
    if (taken.length === 0) return;
    await recordMoves(
      request,
      taken.map(({ next }) => ({ from: 'unknown', next })),
    );
  };
  return async (request, results) => {
    const begun = monotonicNow();
    for (const pauseMs of PAUSES_MS) {
      try {
        return await record(request, results);
      } catch (error) {
        if (monotonicNow() - begun > MAX_TRYING_MS) throw error;
        if (pauseMs > 0) await waitOn(clock, pauseMs);
      }
    }
    return record(request, results);
  };
}

type Claimed = {
  readonly request: RequestRecord;
  /** Of one call; they were written at one time. */
  readonly claims: readonly RequestTarget[];
  readonly age: ClaimAge;
  /** How often the request was tried before. */
  readonly attempts: number;
};

/** Only for the caller whose transaction wrote the claims. */
export type SendClaims = (claimed: Claimed) => Promise<void>;

export type SendOptions = SendCheckOptions & {
  readonly callFleet: CallFleet;
  readonly recordResults: RecordResults;
  readonly clock: Clock;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly log?: Log | undefined;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** The claims are checked right before the call: they may have waited, and their process may have been stopped. */
export function createSendClaims(options: SendOptions): SendClaims {
  const { callFleet, recordResults, clock, maxAgeMs, wakeWorker, log = silentLog, onFailpoint } = options;

  const record = async (request: RequestRecord, results: readonly RequestTarget[]): Promise<void> => {
    await recordResults(request, results);
    wakeWorker();
  };

  /** Ready to be claimed again, or ended where it would be too late by then. */
  const giveBack = (
    { request, attempts }: Claimed,
    target: RequestTarget,
    { why, retryAfterMs }: { readonly why: Evidence; readonly retryAfterMs: number | null },
  ): RequestTarget => {
    const now = clock.now();
    const retryAt = retryUnsentAt(retryAfterMs, attempts, now);
    const isTooLate = tooLate(dueSince(request), maxAgeMs, retryAt) !== null;
    return isTooLate ? notSent(target, why, now) : unsent(target, why, retryAt);
  };

  const uncalled = (claimed: Claimed, target: RequestTarget, decision: SendDecision): RequestTarget => {
    const isHeld = claimed.request.rollout !== null && decision.kind !== 'send';
    if (decision.kind === 'end' && !isHeld) return notSent(target, decision.why, clock.now());
    // Withheld, and nothing is paused by now: for a moment it could not be read.
    const why: Evidence = decision.kind === 'send' ? { kind: 'pause-unread' } : decision.why;
    return giveBack(claimed, target, { why, retryAfterMs: null });
  };

  const called = ({ request }: Claimed, target: RequestTarget, outcome: SentOutcome): RequestTarget => {
    const now = clock.now();
    const next = afterSending(target, request.action, outcome, now);
    if (!isFollowed(next)) return next;
    return { ...next, nextAt: nextTargetLookAt(request, next, { connected: next.before.connected, now }) };
  };

  const logSent = ({ id, action }: RequestRecord, results: readonly RequestTarget[], startedAt: Instant) => {
    for (const { deviceId: device, state: outcome } of results) {
      const about = { request: id, command: action.kind, device, outcome, ms: wallNow() - startedAt };
      log.info({ event: 'operation.sent', ...about }, 'command sent');
    }
  };

  return async (claimed) => {
    const { request, claims, age } = claimed;
    const { rollout } = request;
    const check = createSendCheck(options, dueSince(request), rollout);
    const decision = await check(claims, age);
    if (decision.kind !== 'send')
      return record(
        request,
        claims.map((target) => uncalled(claimed, target, decision)),
      );
    if (decision.claims.length < claims.length)
      log.warn({ event: 'operation.claim-lost', request: request.id }, 'another process took the claim over');
    const startedAt = wallNow();
    const outcomes = await callFleet(request.action, decision.claims, {
      mayStart: () => age.isSafe() && (rollout === null || !hasExpired(rollout, clock.now())),
      lane: writeLaneOf(request),
    });
    const isWithheld = outcomes.some(([, { kind }]) => kind === 'withheld');
    const afterwards = isWithheld ? await check(decision.claims, age) : decision;
    const results = outcomes.map(([target, outcome]: readonly [RequestTarget, CallOutcome]) => {
      if (outcome.kind === 'withheld') return uncalled(claimed, target, afterwards);
      if (outcome.kind !== 'unsent') return called(claimed, target, outcome);
      const { error, retryAfterMs } = outcome;
      return giveBack(claimed, target, { why: unsentBecause(error), retryAfterMs });
    });
    const sent = results.filter(({ state }) => !isUnsent(state) && state !== 'ready');
    if (sent.length > 0) await onFailpoint?.('target.sent');
    logSent(request, sent, startedAt);
    if (results.length > 0) await record(request, results);
    if (results.some(({ state }) => state === 'accepted')) await onFailpoint?.('target.recorded');
    if (results.some(({ state }) => state === 'verified')) await onFailpoint?.('target.verified');
  };
}
