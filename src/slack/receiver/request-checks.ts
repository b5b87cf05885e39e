/** Whether a request is Slack's, by its signature (docs.slack.dev/authentication/verifying-requests-from-slack). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Clock, type Instant, MINUTE, SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createRateLimiter } from '../access/rate-limiter.ts';

/** In both directions: a request dated in the future could be replayed until then. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;

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
