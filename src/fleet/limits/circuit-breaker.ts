/**
 * Stops calling a service that is down. Closed: every call is sent. Open: nothing is sent until a time on the clock.
 * Half-open: exactly one call is sent as a probe; its success closes the breaker, its failure opens it for longer.
 */
import { type Clock, type Instant, later, MINUTE, remainingMs, SECOND, type Wait } from '../../lib/clock.ts';
import type { FleetError, Lane } from '../fleet.ts';
import type { CallOutcome } from '../http/call-outcome.ts';

/** More than two reads with all their retries: a hiccup must not stop all calls. */
const FAILURE_THRESHOLD = 8;
/** A single 401 may be a slip of the service. */
const REJECTION_THRESHOLD = 3;
const FIRST_OPEN_MS = 5 * SECOND;
const MAX_OPEN_MS = MINUTE;
/** A person's read may probe early, but not more often than this. */
const EARLY_PROBE_INTERVAL_MS = 2 * SECOND;

export type CallIntent = { readonly lane: Lane; readonly writes: boolean };
export type BreakerDecision =
  /** Send, and call `settle` exactly once: with the outcome, or with null when the caller gave up. */
  | { readonly kind: 'go'; readonly settle: (outcome: CallOutcome | null) => void }
  | { readonly kind: 'open'; readonly retryInMs: number; readonly failures: number };
export type CircuitBreaker = Readonly<ReturnType<typeof createCircuitBreaker>>;
export type BreakerFigures = {
  readonly state: 'closed' | 'open' | 'half-open';
  /** Until the next probe; 0 unless open. */
  readonly retryInMs: number;
  /** Null: the service takes calls, as far as is known. */
  readonly failing: ServiceFailing | null;
};
/** The service is down, or rejects the key: what each call since then ended with, the one or the other. */
export type ServiceFailing = {
  /** Of the last one. */
  readonly cause: FleetError['kind'];
  readonly since: Instant;
  readonly failures: number;
};

const REJECTED = 'unauthorized' satisfies FleetError['kind'];

/** One for all calls to a service. */
export function createCircuitBreaker(clock: Clock) {
  /** Null: closed. */
  let open: Wait | null = null;
  let probing = false;
  let probedAt: Instant | null = null;
  /** Since the last call that the service took. */
  let failing: ServiceFailing | null = null;

  const noteFailure = (cause: FleetError['kind']): void => {
    const goesOn = failing !== null && (failing.cause === REJECTED) === (cause === REJECTED);
    const { since, failures: before } = goesOn && failing ? failing : { since: clock.now(), failures: 0 };
    failing = { cause, since, failures: before + 1 };
  };
  const openFor = (ms: number): void => {
    open = { until: later(clock.now(), ms), ms };
    probedAt ??= clock.now();
  };
  const settle = (probe: boolean, outcome: CallOutcome | null): void => {
    if (probe) probing = false;
    if (outcome === null) return;
    if (outcome.kind === 'failed' && (meansServiceDown(outcome) || outcome.error.kind === REJECTED))
      noteFailure(outcome.error.kind);
    else failing = null;
    if (!meansServiceDown(outcome)) {
      open = null;
      probedAt = null;
      return;
    }
    if (probe && open !== null) openFor(Math.min(open.ms * 2, MAX_OPEN_MS));
    else if (open === null && (failing?.failures ?? 0) >= FAILURE_THRESHOLD) openFor(FIRST_OPEN_MS);
  };
  const mayProbe = ({ lane, writes }: CallIntent, wait: Wait): boolean => {
    if (probing) return false;
    if (remainingMs(wait, clock.now()) === 0) return true;
    const early = lane === 'person' && !writes && probedAt !== null;
    return early && clock.now() - (probedAt ?? 0) >= EARLY_PROBE_INTERVAL_MS;
  };
  /** Whether `admit` would refuse now; does not count as a probe. */
  const rejection = (intent: CallIntent): Extract<BreakerDecision, { kind: 'open' }> | null => {
    if (open === null || mayProbe(intent, open)) return null;
    return { kind: 'open', retryInMs: remainingMs(open, clock.now()), failures: failing?.failures ?? 0 };
  };

  return {
    rejection,
    admit(intent: CallIntent): BreakerDecision {
      const refused = rejection(intent);
      if (refused !== null) return refused;
      const probe = open !== null;
      if (probe) {
        probing = true;
        probedAt = clock.now();
      }
      return { kind: 'go', settle: (outcome) => settle(probe, outcome) };
    },
    figures(): BreakerFigures {
      const isRejected = failing?.cause === REJECTED && failing.failures >= REJECTION_THRESHOLD;
      if (open === null) return { state: 'closed', retryInMs: 0, failing: isRejected ? failing : null };
      const retryInMs = remainingMs(open, clock.now());
      return { state: probing || retryInMs === 0 ? 'half-open' : 'open', retryInMs, failing };
    },
  };
}

/** Whether the service as a whole failed: no answer, none in time, or a 5xx that does not say when to retry. */
function meansServiceDown(outcome: CallOutcome): boolean {
  if (outcome.kind === 'answered' || outcome.retryAfterMs !== null) return false;
  switch (outcome.error.kind) {
    case 'unreachable':
    case 'broken':
      return true;
    case 'timeout':
      return outcome.error.status !== 408;
    default:
      return false;
  }
}
