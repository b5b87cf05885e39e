/** Sends claimed targets, and records what became of each. */

import type { Clock, Instant } from '../../lib/clock.ts';
import { wallNow } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import { nextLookAt, retryUnsentAt } from '../look-schedule.ts';
import { isFollowed } from '../proof/evaluate-command.ts';
import { afterSending, dueSince, notSent, unsent } from '../target.ts';
import type { CallFleet, CallOutcome } from './fleet-calls.ts';
import type { RecordMoves } from './ledger.ts';
import { createSendCheck, type SendCheck, type SendCheckOptions, tooLate } from './send-check.ts';

/** Only for the caller whose transaction wrote the claims. `attempts`: how often the request was tried before. */
export type SendClaims = (
  request: RequestRecord,
  claimed: readonly RequestTarget[],
  attempts: number,
) => Promise<void>;

export type SendOptions = SendCheckOptions & {
  readonly callFleet: CallFleet;
  readonly recordMoves: RecordMoves;
  readonly clock: Clock;
  /** Wakes the worker. */
  readonly wakeWorker: () => void;
  readonly log?: Log | undefined;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** The pause and the age are looked at before every call: a claim may wait long for its turn. */
export function createSendClaims(options: SendOptions): SendClaims {
  const { callFleet, recordMoves, clock, maxAgeMs, wakeWorker, log = silentLog, onFailpoint } = options;

  /** Another replica may have taken this claim for a dead sender's; the answer is the better knowledge. */
  const record = async (request: RequestRecord, results: readonly RequestTarget[]): Promise<void> => {
    const moves = results.map((next) => ({ from: 'issuing', next }) as const);
    const written = new Set((await recordMoves(request, moves)).map(({ position }) => position));
    const taken = moves.filter(({ next }) => !written.has(next.position) && next.state !== 'ready');
    if (taken.length > 0)
      await recordMoves(
        request,
        taken.map(({ next }) => ({ from: 'unknown', next })),
      );
    wakeWorker();
  };

  const result = async (
    request: RequestRecord,
    target: RequestTarget,
    {
      outcome,
      check,
      attempts,
    }: { readonly outcome: CallOutcome; readonly check: SendCheck; readonly attempts: number },
  ): Promise<RequestTarget> => {
    if (outcome.kind === 'withheld') return check.withheldTarget(target);
    const now = clock.now();
    if (outcome.kind === 'unsent') {
      const retryAt = retryUnsentAt(outcome.retryAfterMs, attempts, now);
      const isTooLate = tooLate(dueSince(request), maxAgeMs, retryAt) !== null;
      const again = unsent(target, outcome.error, retryAt);
      return isTooLate ? notSent(target, again.evidence, now) : again;
    }
    const next = afterSending(target, request.action, outcome, now);
    return isFollowed(next) ? { ...next, nextAt: nextLookAt(next, next.before.connected, now) } : next;
  };

  const logSent = ({ id, action }: RequestRecord, results: readonly RequestTarget[], startedAt: Instant) => {
    for (const { deviceId: device, state: outcome } of results) {
      const about = { request: id, command: action.kind, device, outcome, ms: wallNow() - startedAt };
      log.info({ event: 'operation.sent', ...about }, 'command sent');
    }
  };

  return async (request, claimed, attempts) => {
    const check = createSendCheck(options, dueSince(request));
    const stopped: RequestTarget[] = [];
    const sendable: RequestTarget[] = [];
    for (const target of claimed) {
      const end = await check.unsentTarget(target);
      if (end === null) sendable.push(target);
      else stopped.push(end);
    }
    if (stopped.length > 0) await record(request, stopped);
    if (sendable.length === 0) return;
    const startedAt = wallNow();
    const outcomes = await callFleet(request.action, sendable, {});
    const results: RequestTarget[] = [];
    for (const [target, outcome] of outcomes)
      results.push(await result(request, target, { outcome, check, attempts }));
    const sent = results.filter(({ state }) => state !== 'not_sent' && state !== 'ready');
    if (sent.length > 0) await onFailpoint?.('target.sent');
    logSent(request, sent, startedAt);
    await record(request, results);
    if (results.some(({ state }) => state === 'accepted')) await onFailpoint?.('target.recorded');
    if (results.some(({ state }) => state === 'verified')) await onFailpoint?.('target.verified');
  };
}
