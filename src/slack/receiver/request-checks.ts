/** Whether a request is Slack's, by its signature (docs.slack.dev/authentication/verifying-requests-from-slack). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Clock, type Instant, later, MINUTE, SECOND, wallNow } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { setNewest } from '../../lib/newest.ts';
import type { ReplicaStore } from '../../store/port/replica-records.ts';
import { createRateLimiter } from '../access/rate-limiter.ts';

/** In both directions: a request dated in the future could be replayed until then. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;
/** How long a signature may be accepted, by when it was received and how it is dated. */
const SIGNATURE_LIFE_MS = 2 * MAX_CLOCK_SKEW_MS;

export type SignedRequest = {
  /** The headers `x-slack-request-timestamp` (seconds) and `x-slack-signature`, as received. */
  readonly timestamp: unknown;
  readonly signature: unknown;
  readonly body: Uint8Array;
};
export type SignatureFault = 'unsigned' | 'too old' | 'dated ahead' | 'signed by another secret';

/** Null where the request is signed with `secret` within five minutes of `now` (wall time). */
export function signatureFault(
  { timestamp, signature, body }: SignedRequest,
  secret: string,
  now: Instant,
): SignatureFault | null {
  if (typeof timestamp !== 'string' || !/^\d{1,12}$/.test(timestamp)) return 'unsigned';
  if (typeof signature !== 'string') return 'unsigned';
  const ageMs = now - Number(timestamp) * SECOND;
  if (ageMs > MAX_CLOCK_SKEW_MS) return 'too old';
  if (ageMs < -MAX_CLOCK_SKEW_MS) return 'dated ahead';
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body);
  const expected = Buffer.from(`v0=${hmac.digest('hex')}`);
  const received = Buffer.from(signature);
  const isRight = received.length === expected.length && timingSafeEqual(received, expected);
  return isRight ? null : 'signed by another secret';
}

/** Whether a signature comes for the first time. */
export type IsFirstUse = (signature: string) => Promise<boolean>;

/** In memory only; more than Slack sends in ten minutes. */
const MAX_SIGNATURES = 20_000;

/**
 * Refuses a request that was sent before, at whichever replica. Slack's own retry has a new time and signature. Without a
 * database this process remembers alone: nothing can be changed then, and people still get their answers.
 */
export function createSignatureMemory(store: Pick<ReplicaStore, 'rememberSignature'>, log: Log): IsFirstUse {
  const seen = new Map<string, true>();
  return async (signature) => {
    if (seen.has(signature)) return false;
    setNewest(seen, signature, true, MAX_SIGNATURES);
    const now = wallNow();
    try {
      return await store.rememberSignature(signature, now, later(now, SIGNATURE_LIFE_MS));
    } catch (error) {
      log.warn({ event: 'slack.signature-not-stored', err: error }, 'could not store a signature');
      return true;
    }
  };
}

/**
 * Logs rejected input without its content or a stack, at most a few times a minute. `why`: one of a few fixed words,
 * never part of the payload.
 */
export type LogRejected = (source: 'http' | 'payload', why: string) => void;

const MAX_LINES_PER_MINUTE = 3;

export function createLogRejected(log: Log, clock: Pick<Clock, 'now'>): LogRejected {
  const bounded = createRateLimiter({ clock, max: MAX_LINES_PER_MINUTE, everyMs: MINUTE });
  return (source, why) => {
    const passed = bounded(`${source} ${why}`);
    if (!passed.pass) return;
    const { skipped } = passed;
    log.warn({ event: 'slack.odd', source, why, skipped }, 'ignored unexpected input from Slack');
  };
}

/** A listener that could not read its payload rejected bad input; any other failure is ours, logged with its stack. */
export function logListenerFailed(error: Error, logRejected: LogRejected, log: Log): void {
  const cause: unknown = 'original' in error ? error.original : error;
  if (cause instanceof z.ZodError) logRejected('payload', 'not read by its listener');
  else log.error({ event: 'slack.listener-failed', err: error }, 'Slack listener failed');
}
