/** Calls: a request with its turn, its deadline and, for reads, its repetitions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Instant, later, SECOND, wallNow } from '../clock.ts';
import type { Asking, Breaker, BreakerFigures, Entry } from './breaker.ts';
import type { RequestBudget } from './budget.ts';
import { type Cause, fleetError } from './errors.ts';
import { type FleetError, FleetFailure, type ReadOptions } from './fleet.ts';
import { createGoAhead, type GoAhead, type MayWrite } from './go-ahead.ts';
import type { Http, HttpRequest } from './http.ts';
import { type Failed, type Outcome, withheld } from './outcome.ts';
import { retryDelay } from './retry.ts';
import type { Scheduler, SchedulerFigures } from './scheduler.ts';
import { enterShared, type SharedTurns } from './shared-turn.ts';

/** For a whole call, its turn and its repetitions included. */
const DEFAULT_DEADLINE_MS = 20 * SECOND;
/** For one attempt: the live service needs under a second (management API in practice, 2.3). */
const DEFAULT_ATTEMPT_MS = 10 * SECOND;

export type CallsOptions = {
  readonly http: Http;
  readonly scheduler: Scheduler;
  /** Shared with other processes; null: nobody else uses the key. */
  readonly budget?: RequestBudget | null;
  /** On the clock; see {@link SharedTurns}. */
  readonly wait?: SharedTurns['wait'];
  readonly breaker: Breaker;
  readonly random: () => number;
  readonly deadlineMs?: number | undefined;
  readonly attemptMs?: number | undefined;
  /** Asked before every write; absent: all may. */
  readonly mayWrite?: MayWrite | undefined;
};
export type Calls = {
  /** The parsed body of a GET, or of a POST that is `safe`; throws {@link FleetFailure}. */
  readonly read: (request: HttpRequest, options: ReadOptions) => Promise<unknown>;
  /** Sends once, whatever the method, for a person who waits. */
  readonly write: (request: HttpRequest) => Promise<Outcome>;
  readonly figures: () => CallFigures;
};
export type CallFigures = SchedulerFigures & {
  readonly breaker: BreakerFigures;
  /** What became of every attempt so far. */
  readonly outcomes: Outcomes;
};

/** `held`: not sent by ourselves. */
type Outcomes = Readonly<Partial<Record<'answered' | 'held' | FleetError['kind'], number>>>;

/** One attempt of a call; `end` is wall time, and moves while the call waits for what does not count. */
type Try = Asking & {
  end: Instant;
  readonly patient?: boolean;
  readonly longestMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Of a write. */
  readonly goAhead?: GoAhead;
};

/** Calls over `http`, each in its turn and as far as the breaker lets it. Deadlines are wall time, in milliseconds. */
export function createCalls(options: CallsOptions): Calls {
  const { http, scheduler, breaker, random } = options;
  const { mayWrite = async () => true, budget = null, wait = pause } = options;
  const { deadlineMs = DEFAULT_DEADLINE_MS, attemptMs = DEFAULT_ATTEMPT_MS } = options;
  const outcomes: Partial<Record<keyof Outcomes, number>> = {};

  const sendOn = async (request: HttpRequest, attempt: Try): Promise<Outcome> => {
    const entry = breaker.ask(attempt);
    if (entry.kind === 'open') return held(request, entry);
    let outcome: Outcome | null = null;
    try {
      const timeoutMs = Math.max(1, Math.min(attempt.longestMs, attempt.end - wallNow()));
      const { signal, goAhead } = attempt;
      outcome = await http.send(request, { timeoutMs, signal, mayStart: goAhead?.holds });
      return outcome;
    } finally {
      // What was withheld says nothing of the service.
      entry.settle(isWithheld(outcome) ? null : outcome);
    }
  };
  const inTurn = async (request: HttpRequest, attempt: Try): Promise<Outcome> => {
    const refused = breaker.refuses(attempt);
    if (refused !== null) return held(request, refused);
    const came = wallNow();
    const place = { ...attempt, request, deadline: turnUntil(attempt, came) };
    const turn = await enterShared({ scheduler, budget, wait }, place);
    if (turn.kind === 'late')
      return unsent(request, { kind: 'timeout' }, 'too many other requests came first');
    if (turn.kind === 'closed') return unsent(request, { kind: 'unreachable' }, 'it is stopping');
    if (turn.kind === 'throttled') return unsent(request, turn, HELD_BY[turn.by]);
    if (attempt.patient === true) attempt.end = later(attempt.end, wallNow() - came);
    try {
      if (attempt.goAhead !== undefined && !(await attempt.goAhead.ask())) return withheld(request);
      const outcome = await sendOn(request, attempt);
      if (outcome.kind === 'failed' && outcome.error.kind === 'throttled') {
        scheduler.pause(outcome.error.retryAfterMs);
        budget?.pauseAll(outcome.error.retryAfterMs);
      }
      return outcome;
    } finally {
      turn.leave();
    }
  };
  const once = async (request: HttpRequest, attempt: Try): Promise<Outcome> => {
    const outcome = await inTurn(request, attempt);
    if (isWithheld(outcome)) return outcome;
    const kind = countedAs(outcome);
    outcomes[kind] = (outcomes[kind] ?? 0) + 1;
    return outcome;
  };

  return {
    async read(request, { lane = 'background', deadlineMs: asked, signal }) {
      const end = later(wallNow(), asked ?? deadlineMs);
      const patient = lane === 'background' && asked === undefined;
      const attempt: Try = { lane, writes: false, end, patient, longestMs: attemptMs, signal };
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await once(request, attempt);
        if (outcome.kind === 'answered') return outcome.json;
        const delay = retryDelay(outcome, { attempts, leftMs: attempt.end - wallNow(), random: random() });
        if (delay === null) throw new FleetFailure(outcome.error);
        await pause(delay, signal);
      }
    },
    async write(request) {
      const end = later(wallNow(), deadlineMs);
      const goAhead = createGoAhead(mayWrite);
      try {
        return await once(request, { lane: 'person', writes: true, end, longestMs: deadlineMs, goAhead });
      } finally {
        goAhead.end();
      }
    },
    figures: () => ({
      ...scheduler.figures(),
      breaker: breaker.figures(),
      outcomes: { ...outcomes },
    }),
  };
}

const HELD_BY = {
  limit: 'it keeps to the rate limit of the service',
  pause: 'the service asked for a pause a moment ago',
} as const;

function countedAs(outcome: Outcome): keyof Outcomes {
  if (outcome.kind === 'answered') return 'answered';
  return outcome.error.held === true ? 'held' : outcome.error.kind;
}

function isWithheld(outcome: Outcome | null): boolean {
  return outcome?.kind === 'failed' && outcome.withheld === true;
}

/** A write that got its turn late must not be cut short: that would make its outcome unknown. */
function turnUntil({ writes, end }: Try, now: Instant): Instant {
  return writes ? later(now, (end - now) / 2) : end;
}

/** Refused here, without a trace at the service. */
function held(request: HttpRequest, { retryInMs, failures }: Extract<Entry, { kind: 'open' }>): Failed {
  const when = retryInMs === 0 ? 'it is being tried now' : `it is tried again in ${inWords(retryInMs)}`;
  const detail = `the service failed ${failures} times in a row, so nothing was sent; ${when}`;
  return unsent(request, { kind: 'unreachable' }, detail);
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / SECOND);
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}

function unsent(request: HttpRequest, cause: Cause, detail: string): Failed {
  const error = { ...fleetError(request, null, cause, detail), held: true } as const;
  return { kind: 'failed', error, sent: false, passing: false, retryAfterMs: null };
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } finally {
    // The timer would throw words of its own; a caller's abort ends in the caller's reason everywhere.
    signal?.throwIfAborted();
  }
}
