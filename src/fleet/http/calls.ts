/**
 * Calls: a request with its turn, its deadline and, for reads, its retries. A write that waits for its turn and a connection
 * begins only where a pause of all changes in that time allows it: that is checked when it gets its turn, again while it
 * connects, and decided at the last moment.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Instant, later, monotonicNow, SECOND, wallNow } from '../../lib/clock.ts';
import {
  type FleetError,
  FleetFailure,
  type HeldCause,
  type ReadOptions,
  type WriteOptions,
} from '../fleet.ts';
import type {
  BreakerDecision,
  BreakerFigures,
  CallIntent,
  CircuitBreaker,
} from '../limits/circuit-breaker.ts';
import type { RequestBudget } from '../limits/rate-limits.ts';
import {
  enterWithBudget,
  type Scheduler,
  type SchedulerFigures,
  type SharedScheduling,
  type Turn,
} from '../limits/scheduler.ts';
import { type CallOutcome, type FailedCall, withheldCall } from './call-outcome.ts';
import { type FailureCause, fleetError } from './errors.ts';
import type { Http, HttpRequest } from './http-client.ts';

/** Deadline of a whole call, including its turn and retries. */
const DEFAULT_DEADLINE_MS = 20 * SECOND;
/** Deadline of one attempt: the live service needs under a second (management API in practice, 2.3). */
const DEFAULT_ATTEMPT_MS = 10 * SECOND;

type CallsOptions = {
  readonly http: Http;
  readonly scheduler: Scheduler;
  /** Shared with other processes; null: no other process uses the key. */
  readonly budget?: RequestBudget | null;
  /** On the clock; see {@link SharedScheduling}. */
  readonly wait?: SharedScheduling['wait'];
  readonly breaker: CircuitBreaker;
  readonly random: () => number;
  readonly deadlineMs?: number | undefined;
  readonly attemptMs?: number | undefined;
  /** Asked before every write; absent: all are allowed. */
  readonly mayWrite?: MayWrite | undefined;
};
export type Calls = {
  /** The parsed body of a GET, or of a POST that is `safe`; throws {@link FleetFailure}. */
  readonly read: (request: HttpRequest, options: ReadOptions) => Promise<unknown>;
  /** Sends once, whatever the method. */
  readonly write: (request: HttpRequest, options?: WriteOptions) => Promise<CallOutcome>;
  readonly figures: () => CallFigures;
};
export type CallFigures = SchedulerFigures & {
  readonly breaker: BreakerFigures;
  /** Every attempt so far, counted by its outcome. */
  readonly outcomes: OutcomeCounts;
};

/** `held`: Patchbay itself did not send it. */
type OutcomeCounts = Readonly<Partial<Record<'answered' | 'held' | FleetError['kind'], number>>>;

/** One attempt of a call. `end` is wall time; for a `patient` call it moves by the time spent waiting for a turn. */
type AttemptOptions = CallIntent & {
  end: Instant;
  readonly patient?: boolean;
  readonly maxMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly permit?: WritePermit;
};

/** Each in its turn, as far as the circuit breaker allows. Deadlines are in milliseconds of wall time. */
export function createCalls(options: CallsOptions): Calls {
  const { http, scheduler, breaker, random } = options;
  const { mayWrite = async () => true, budget = null, wait = sleepOrAbort } = options;
  const { deadlineMs = DEFAULT_DEADLINE_MS, attemptMs = DEFAULT_ATTEMPT_MS } = options;
  const outcomes: Partial<Record<keyof OutcomeCounts, number>> = {};

  const sendThroughBreaker = async (request: HttpRequest, attempt: AttemptOptions): Promise<CallOutcome> => {
    const entry = breaker.admit(attempt);
    if (entry.kind === 'open') return rejectedByBreaker(request, entry);
    let outcome: CallOutcome | null = null;
    try {
      const timeoutMs = Math.max(1, Math.min(attempt.maxMs, attempt.end - wallNow()));
      const { signal, permit } = attempt;
      outcome = await http.send(request, { timeoutMs, signal, mayStart: permit?.isValid });
      return outcome;
    } finally {
      // A withheld request says nothing about the service.
      entry.settle(isWithheld(outcome) ? null : outcome);
    }
  };
  const sendInTurn = async (request: HttpRequest, attempt: AttemptOptions): Promise<CallOutcome> => {
    const refused = breaker.rejection(attempt);
    if (refused !== null) return rejectedByBreaker(request, refused);
    const queuedAt = wallNow();
    const turnRequest = { ...attempt, request, deadline: turnDeadline(attempt, queuedAt) };
    const turn = await enterWithBudget({ scheduler, budget, wait }, turnRequest);
    if (turn.kind !== 'go') return withoutTurn(request, turn);
    if (attempt.patient === true) attempt.end = later(attempt.end, wallNow() - queuedAt);
    try {
      if (attempt.permit !== undefined && !(await attempt.permit.check())) return withheldCall(request);
      const outcome = await sendThroughBreaker(request, attempt);
      if (outcome.kind === 'failed' && outcome.error.kind === 'throttled') {
        scheduler.pause(outcome.error.retryAfterMs);
        budget?.pauseEverybody(outcome.error.retryAfterMs);
      }
      return outcome;
    } finally {
      turn.leave();
    }
  };
  const attemptOnce = async (request: HttpRequest, attempt: AttemptOptions): Promise<CallOutcome> => {
    const outcome = await sendInTurn(request, attempt);
    if (isWithheld(outcome)) return outcome;
    const kind = outcomeName(outcome);
    outcomes[kind] = (outcomes[kind] ?? 0) + 1;
    return outcome;
  };

  return {
    async read(request, { lane = 'background', deadlineMs: requestedDeadlineMs, signal }) {
      const end = later(wallNow(), requestedDeadlineMs ?? deadlineMs);
      const patient = lane === 'background' && requestedDeadlineMs === undefined;
      const attempt: AttemptOptions = { lane, writes: false, end, patient, maxMs: attemptMs, signal };
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await attemptOnce(request, attempt);
        if (outcome.kind === 'answered') return outcome.json;
        const delay = retryDelay(outcome, { attempts, leftMs: attempt.end - wallNow(), random: random() });
        if (delay === null) throw new FleetFailure(outcome.error);
        await sleepOrAbort(delay, signal);
      }
    },
    async write(request, { mayStart, lane = 'write' } = {}) {
      const end = later(wallNow(), deadlineMs);
      const permit = createWritePermit(mayWrite, mayStart);
      try {
        return await attemptOnce(request, { lane, writes: true, end, maxMs: deadlineMs, permit });
      } finally {
        permit.release();
      }
    },
    figures: () => ({
      ...scheduler.figures(),
      breaker: breaker.figures(),
      outcomes: { ...outcomes },
    }),
  };
}

/** No turn was granted, so nothing was sent. */
function withoutTurn(request: HttpRequest, turn: Exclude<Turn, { kind: 'go' }>): FailedCall {
  switch (turn.kind) {
    case 'late':
      return failedUnsent(request, { kind: 'timeout' }, { kind: 'crowded' });
    case 'closed':
      return failedUnsent(request, { kind: 'unreachable' }, { kind: 'stopping' });
    case 'throttled':
      return failedUnsent(request, turn, { kind: turn.by }, turn.retryAfterMs);
  }
}

function outcomeName(outcome: CallOutcome): keyof OutcomeCounts {
  if (outcome.kind === 'answered') return 'answered';
  return outcome.error.held !== undefined ? 'held' : outcome.error.kind;
}

function isWithheld(outcome: CallOutcome | null): boolean {
  return outcome?.kind === 'failed' && outcome.withheld === true;
}

/** A write that gets its turn late must not be cut short, because its outcome would then be unknown. */
function turnDeadline({ writes, end }: AttemptOptions, now: Instant): Instant {
  return writes ? later(now, (end - now) / 2) : end;
}

/** Refused here: the service does not see it. */
function rejectedByBreaker(
  request: HttpRequest,
  { retryInMs, failures }: Extract<BreakerDecision, { kind: 'open' }>,
): FailedCall {
  return failedUnsent(request, { kind: 'unreachable' }, { kind: 'breaker', failures, retryInMs }, retryInMs);
}

function failedUnsent(
  request: HttpRequest,
  cause: FailureCause,
  held: HeldCause,
  retryAfterMs: number | null = null,
): FailedCall {
  const error = { ...fleetError(request, null, cause, ''), held };
  return { kind: 'failed', error, sent: false, retryable: false, retryAfterMs };
}

async function sleepOrAbort(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } finally {
    // The timer would throw an error of its own; a caller's abort throws the caller's reason everywhere.
    signal?.throwIfAborted();
  }
}

/** Including the first one. */
const MAX_ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 0.5 * SECOND;
const MAX_BACKOFF_MS = 8 * SECOND;

type RetryState = {
  readonly attempts: number;
  /** Wall time left for the whole read. */
  readonly leftMs: number;
  /** In [0, 1). */
  readonly random: number;
};

/**
 * Milliseconds to wait before the retry; null to give up. A throttled read waits nothing here, because the pause that
 * holds all calls holds it too. Otherwise full jitter, and never earlier than the service asked for.
 */
export function retryDelay(failed: FailedCall, { attempts, leftMs, random }: RetryState): number | null {
  if (!failed.retryable || attempts >= MAX_ATTEMPTS) return null;
  const throttled = failed.error.kind === 'throttled' ? failed.error.retryAfterMs : null;
  const delay = throttled ?? Math.max(backoff(attempts, random), failed.retryAfterMs ?? 0);
  if (delay >= leftMs) return null;
  return throttled === null ? delay : 0;
}

function backoff(attempts: number, random: number): number {
  return random * Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
}

/** Asks whoever can stop all writes. When it throws, nothing is sent. */
export type MayWrite = () => Promise<boolean>;

type WritePermit = Readonly<ReturnType<typeof createWritePermit>>;

/** Time between two checks while it connects. */
const CHECK_INTERVAL_MS = SECOND / 2;
/** An older yes does not count: a pause has to take effect within two seconds. */
const VALID_MS = 1.5 * SECOND;

/** `mayStart`: whether its caller still wants it. `monotonic`: milliseconds of a time that nobody sets. */
export function createWritePermit(
  mayWrite: MayWrite,
  mayStart: () => boolean = () => true,
  monotonic: () => number = monotonicNow,
) {
  let checkedAt = 0;
  let allowed = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<boolean> => {
    const askedAt = monotonic();
    try {
      allowed = await mayWrite();
      checkedAt = askedAt;
    } catch {
      allowed = false;
    }
    return allowed;
  };
  return {
    /** Asks now, and then repeatedly until {@link WritePermit.isValid} or `release`. */
    check(): Promise<boolean> {
      timer ??= setInterval(() => void check(), CHECK_INTERVAL_MS);
      return check();
    },
    /** Whether the last answer was yes and is recent enough, and the caller still wants it. Stops asking. */
    isValid(): boolean {
      // The request leaves now or never, so no more checks.
      clearInterval(timer);
      return allowed && monotonic() - checkedAt <= VALID_MS && mayStart();
    },
    release: (): void => clearInterval(timer),
  };
}
