/** When a read is retried. Pure. Writes are never repeated (no idempotency key, §4.3). */
import { SECOND } from '../../lib/clock.ts';
import type { FailedCall } from './call-outcome.ts';

/** Including the first one. */
const MAX_ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 0.5 * SECOND;
const MAX_BACKOFF_MS = 8 * SECOND;

export type RetryState = {
  /** Attempts made so far. */
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
