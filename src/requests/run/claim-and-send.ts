/**
 * Claims the targets of a request and sends them: each call has its targets read, waits for a place, claims them by one
 * transaction, is made right after it, never ahead, and recorded: a stop leaves at most the calls in flight unknown.
 */
import { FleetFailure } from '../../fleet/fleet.ts';
import { type FleetAction, recordKindOf } from '../../fleet/model/actions.ts';
import {
  ageOf,
  type Clock,
  type Instant,
  later,
  monotonicNow,
  SECOND,
  waitOn,
  wallNow,
} from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { chunksOf, inParallel } from '../../lib/lists.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import { hasExpired } from '../../rollout/progress.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import {
  isFollowed,
  isUnsent,
  type RequestRecord,
  type RequestTarget,
} from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store } from '../../store/port/store.ts';
import { errorFactsOf } from '../clip.ts';
import type { HoldRollout } from '../decide/hold-rollout.ts';
import { ChangesPaused, catchPaused } from '../decide/pause-switch.ts';
import type { ListedTarget } from '../kinds/kind.ts';
import { mayBeClaimed, retryBefore, retryUnsentAt } from '../look-schedule.ts';
import { nextTargetLookAt, writeLaneOf } from '../many-devices.ts';
import {
  afterSending,
  dueSince,
  isShownAlike,
  notReadYet,
  notSent,
  type SentOutcome,
  type TargetOutcome,
  unsent,
  unsentBecause,
} from '../target-transitions.ts';
import type { CallFleet } from './fleet-calls.ts';
import type { RecordMoves } from './ledger.ts';
import {
  type CheckedTarget,
  driftNote,
  isNoLongerNeeded,
  type RecheckPorts,
  type ReturnForApproval,
  recheckTarget,
} from './recheck.ts';
import {
  type ClaimAge,
  createSendCheck,
  type SendCheckOptions,
  type SendDecision,
  startClaimAge,
  tooLate,
} from './send-check.ts';
import { MAX_LISTED_AGE_MS } from './wave-readings.ts';

/** As many calls as the client of the service has in flight at once: what a stop may leave unknown. */
const CALLS_AT_ONCE = 4;

/** The places in which claims are written and sent, for all requests of a process together. */
export function createSendPlaces(count: number = CALLS_AT_ONCE) {
  let free = count;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    /** Waits for a place in the order of the calls, so that a large request holds up no other; frees it afterwards. */
    take: async <T>(job: () => Promise<T>): Promise<T> => {
      await enter();
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}

export type ClaimOptions = RecheckPorts & {
  readonly store: Store;
  readonly clock: Clock;
  readonly recordMoves: RecordMoves;
  readonly sendClaims: SendClaims;
  readonly returnForApproval: ReturnForApproval;
  readonly holdRollout: HoldRollout;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  /** Whether the process is about to end: then nothing more is sent. Absent: it is not. */
  readonly isStopping?: (() => boolean) | undefined;
  /** Whether Patchbay certainly was there lately: else nothing of a rollout is claimed. Absent: it was. */
  readonly isAwake?: (() => boolean) | undefined;
  readonly targetsPerCall: (action: FleetAction) => number;
  /** Milliseconds of a time that nobody sets; absent: that of the process. */
  readonly monotonic?: (() => number) | undefined;
  readonly onFailpoint?: OnFailpoint | undefined;
};

type ReadyTargets = {
  readonly request: RequestRecord;
  readonly ready: readonly RequestTarget[];
  /** How often the request was tried before. */
  readonly attempts: number;
  /** When the proof of its people's rights ends: nothing is claimed from then on. Null: never. */
  readonly provedUntil: Instant | null;
  /** Those that were read already; each of the others is read right before its claim. */
  readonly checked: readonly CheckedTarget[];
  /** By position: a device that a list showed shortly before is not read itself. */
  readonly listed?: ReadonlyMap<number, ListedTarget>;
};

export type ClaimAndSend = (given: ReadyTargets) => Promise<void>;

/** What was read is read again where the wait for a place took longer. */
const MAX_WAIT_AFTER_READ_MS = 15 * SECOND;

/** One for each process: its requests share the places. */
export function createClaimAndSend(options: ClaimOptions): ClaimAndSend {
  const { clock, targetsPerCall, monotonic = monotonicNow, isStopping = () => false } = options;
  const places = createSendPlaces();
  return async ({ request, ready, attempts, provedUntil, checked, listed = new Map() }) => {
    const known = new Map(checked.map((one) => [one.target.position, one]));
    const now = clock.now();
    const due = ready.filter((target) => mayBeClaimed(target, now));
    let goesOn = true;
    // All of them end before the work does, so that no call of it goes on beside its next run.
    await inParallel(chunksOf(due, targetsPerCall(request.action)), CALLS_AT_ONCE, async (targets) => {
      // A call begun now might be cut short, and its outcome would be unknown.
      if (!goesOn || isStopping()) return;
      const call = { request, targets, attempts, provedUntil, known, listed };
      const prepared = await prepare(options, call);
      const readAt = monotonic();
      await places.take(async () => {
        if (!goesOn || isStopping()) return;
        const isOld = monotonic() - readAt > MAX_WAIT_AFTER_READ_MS;
        const again = async () => prepare(options, { ...call, known: new Map() });
        const claimed = await claimCall(options, call, isOld ? await again() : prepared);
        // Another call may have ended the list meanwhile.
        if (!claimed) goesOn = false;
      });
    });
  };
}

type Call = Pick<ReadyTargets, 'request' | 'attempts' | 'provedUntil'> & {
  readonly targets: readonly RequestTarget[];
  readonly known: ReadonlyMap<number, CheckedTarget>;
  readonly listed: ReadonlyMap<number, ListedTarget>;
};

/** The claim of a target at this time; or the target as it ends, or waits to be read again. */
type Prepared = (now: Instant) => RequestTarget;

/** False: nothing more of the request is claimed for now. */
async function claimCall(
  options: ClaimOptions,
  { request, attempts, targets, provedUntil }: Call,
  prepared: readonly Prepared[],
): Promise<boolean> {
  const { clock, monotonic, recordMoves, sendClaims, onFailpoint, isAwake = () => true } = options;
  if (request.rollout !== null && !isAwake()) return false;
  const age = startClaimAge(monotonic);
  const now = clock.now();
  if (provedUntil !== null && now > provedUntil) return false;
  const moves = prepared.map((become, index) => {
    const next = become(now);
    const before = targets[index];
    return { from: 'ready', next, quiet: before !== undefined && isShownAlike(before, next) } as const;
  });
  const written = await catchPaused(() => recordMoves(request, moves));
  if (written instanceof ChangesPaused) {
    await giveUpPaused(options, request, written.pause);
    return false;
  }
  // Somebody held the rollout, or another replica ended its wave.
  if (request.rollout !== null && written.length === 0) return false;
  const claimed = written.filter(({ state }) => state === 'issuing');
  if (claimed.length === 0) return true;
  await onFailpoint?.('target.claimed');
  await sendClaims({ request, claims: claimed, age, attempts });
  return true;
}

/** A rollout stops where it is; anything else is asked again, so that nothing runs by surprise when the pause ends. */
async function giveUpPaused(
  { store, clock, returnForApproval, holdRollout }: ClaimOptions,
  request: RequestRecord,
  pause: PauseRecord,
): Promise<void> {
  if (request.rollout !== null) {
    await holdRollout(request.id, { hold: { kind: 'paused', by: null, at: clock.now() } });
    return;
  }
  const [target] = await store.targets.of(request.id, { states: ['ready'] });
  if (target !== undefined) await returnForApproval.paused(request, target, pause);
}

async function prepare(options: ClaimOptions, call: Call): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (const target of call.targets) prepared.push(await prepareTarget(options, call, target));
  return prepared;
}

async function prepareTarget(
  options: ClaimOptions,
  { request, attempts, known, listed }: Call,
  target: RequestTarget,
): Promise<Prepared> {
  const { clock, maxAgeMs } = options;
  const due = dueSince(request);
  try {
    const row = listed.get(target.position);
    const isFresh = row !== undefined && ageOf(row.readAt, clock.now()) <= MAX_LISTED_AGE_MS;
    const checked =
      known.get(target.position) ??
      (await recheckTarget(options, request, target, isFresh ? row : undefined));
    return (now) => {
      const late = tooLate(due, maxAgeMs, now);
      return late === null ? claimOrEnd(request, { ...checked, target }, now) : notSent(target, late, now);
    };
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    const now = clock.now();
    const end = later(due?.since ?? now, maxAgeMs);
    const nextAt = retryBefore(end, { error: error.error, attempts, now }) ?? (due === null ? end : null);
    const unread = { kind: 'unread', error: errorFactsOf(error.error) } as const;
    const next = nextAt === null ? notSent(target, unread, now) : notReadYet(target, error.error, nextAt);
    return () => next;
  }
}

function claimOrEnd(
  request: RequestRecord,
  { target, read, drift }: CheckedTarget,
  now: Instant,
): RequestTarget {
  if (read === null) return notSent(target, { kind: 'gone', thing: recordKindOf(request.action) }, now);
  const { facts } = read;
  if (isNoLongerNeeded({ target, drift, facts })) return notSent(target, { kind: 'not-needed' }, now);
  // What nobody had to approve is sealed to nothing, but to its machine and to the rules that let it through.
  const counts =
    request.expiresAt !== null
      ? drift
      : drift.filter(({ kind }) => kind === 'other-machine' || kind === 'rule');
  if (counts.length > 0) return notSent(target, driftNote(request, [{ drift: counts }]), now);
  if (request.rollout?.plan.offline === 'skip' && facts.deviceId !== null && facts.connected === false)
    return notSent(target, { kind: 'offline', since: facts.lastDisconnectTime }, now);
  return read.claim(target, now);
}

type RecordResults = (request: RequestRecord, results: readonly RequestTarget[]) => Promise<void>;

/** Between the tries; the first is made at once, because most failures are those of one connection. */
const PAUSES_MS = [0, SECOND / 4, SECOND / 2, SECOND, 2 * SECOND, 4 * SECOND, 4 * SECOND] as const;
/** No try begins later, however long those before took. */
const MAX_TRYING_MS = 15 * SECOND;

/** What is known of a call is lost with its record, so a write that fails is repeated for some seconds. */
export function createRecordResults({ recordMoves, clock }: Pick<ClaimOptions, 'recordMoves' | 'clock'>) {
  /** Another replica may have taken a claim for a dead sender's; an answer is the better knowledge. */
  const record: RecordResults = async (request, results) => {
    const moves = results.map((next) => ({ from: 'issuing', next }) as const);
    const written = new Set((await recordMoves(request, moves)).map(({ position }) => position));
    const taken = moves.filter(({ next }) => !written.has(next.position) && next.state !== 'ready');
    if (taken.length === 0) return;
    const taking = taken.map(({ next }) => ({ from: 'unknown', next }) as const);
    await recordMoves(request, taking);
  };
  return async (...[request, results]: Parameters<RecordResults>): Promise<void> => {
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
  readonly attempts: number;
};

/** Only for the caller whose transaction wrote the claims. */
type SendClaims = (claimed: Claimed) => Promise<void>;

type SendOptions = SendCheckOptions & {
  readonly callFleet: CallFleet;
  readonly recordResults: RecordResults;
  readonly clock: Clock;
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
    const results = outcomes.map(([target, outcome]: readonly [RequestTarget, TargetOutcome]) => {
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
