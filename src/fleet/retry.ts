/** When a read is asked again: pure. Writes are never repeated (no idempotency key, §4.3). */
import { SECOND } from '../clock.ts';
import type { Failed } from './outcome.ts';

/** The first one included. */
const ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 0.5 * SECOND;
const LONGEST_BACKOFF_MS = 8 * SECOND;

export type Tried = {
  /** Attempts made so far. */
  readonly attempts: number;
  /** Wall time left for the whole read. */
  readonly leftMs: number;
  /** In [0, 1). */
  readonly random: number;
};

/**
 * How long to wait before asking again; null to give up. A throttled read waits nothing here: the pause
 * that holds everybody holds it too. Otherwise full jitter, and never earlier than the service asked for.
 */
export function retryDelay(failed: Failed, { attempts, leftMs, random }: Tried): number | null {
  if (!failed.passing || attempts >= ATTEMPTS) return null;
  const throttled = failed.error.kind === 'throttled' ? failed.error.retryAfterMs : null;
  const delay = throttled ?? Math.max(backoff(attempts, random), failed.retryAfterMs ?? 0);
  if (delay >= leftMs) return null;
  return throttled === null ? delay : 0;
}

function backoff(attempts: number, random: number): number {
  return random * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
}
