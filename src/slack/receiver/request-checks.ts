/** Whether a request is Slack's, by its signature (docs.slack.dev/authentication/verifying-requests-from-slack). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Clock, type Instant, later, MINUTE, SECOND, wallNow } from '../../lib/clock.ts';
import { tryParseJson } from '../../lib/json.ts';
import { dropOldest, setNewest } from '../../lib/lists.ts';
import type { Log } from '../../lib/log.ts';
import type { ReplicaStore } from '../../store/port/replica-records.ts';

/** In both directions: a request dated in the future could be replayed until then. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE;
/** How long a signature may be accepted, by when it was received and how it is dated. */
const SIGNATURE_LIFE_MS = 2 * MAX_CLOCK_SKEW_MS;

type SignedRequest = {
  /** The headers `x-slack-request-timestamp` (seconds) and `x-slack-signature`, as received. */
  readonly timestamp: unknown;
  readonly signature: unknown;
  readonly body: Uint8Array;
};
type SignatureFault = 'unsigned' | 'too old' | 'dated ahead' | 'signed by another secret';

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

/** At whichever replica. Slack's own retry has a new signature. Without a database this process remembers alone. */
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

/** Without its content or a stack, at most a few times a minute. `why`: one of a few fixed words, never part of the payload. */
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

/** Parses the body of a signed request. Pure; never throws or overflows, whatever the body is. */
type RequestBody =
  | { readonly kind: 'payload'; readonly payload: Payload }
  /** Slack checks that this address belongs to the app (docs.slack.dev/reference/events/url_verification). */
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'unreadable'; readonly reason: string };
export type Payload = Readonly<Record<string, unknown>>;

/** Slack's payloads nest about 15 deep; their readers recurse once per level. */
const MAX_DEPTH = 64;
/** Our own limit: Slack's challenges have under 100 characters. */
const MAX_CHALLENGE_LENGTH = 1_000;

const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded';

/** Commands are a form, interactions a form with JSON in its field `payload`, events JSON. */
export function readRequestBody(contentType: string | undefined, raw: Buffer): RequestBody {
  const text = raw.toString('utf8');
  if (!isForm(contentType)) return readJson(text);
  const form = new URLSearchParams(text);
  const [payload, ...others] = form.getAll('payload');
  if (others.length > 0) return unreadable('several payloads');
  if (payload !== undefined) return readJson(payload);
  const fields = Object.fromEntries(form);
  return Object.keys(fields).length === 0 ? unreadable('empty') : { kind: 'payload', payload: fields };
}

/**
 * Slack's certificate check, the one request that it does not sign; nothing of it is used
 * (docs.slack.dev/interactivity/implementing-slash-commands).
 */
export function isCertificateCheck(contentType: string | undefined, raw: Buffer): boolean {
  return isForm(contentType) && /(?:^|&)ssl_check=1(?:&|$)/.test(raw.toString('latin1'));
}

/** Whether JSON text nests deeper than Slack's payloads do, without parsing it. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (sign === '}' || sign === ']') depth -= 1;
  }
  return false;
}

export function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isForm(contentType: string | undefined): boolean {
  return (contentType ?? '').trim().toLowerCase().startsWith(FORM_CONTENT_TYPE);
}

function readJson(text: string): RequestBody {
  if (isTooDeep(text)) return unreadable('nested too deep');
  const parsed = tryParseJson(text);
  if (parsed === undefined) return unreadable('not JSON');
  if (!isPayload(parsed)) return unreadable('not an object');
  if (parsed['type'] !== 'url_verification') return { kind: 'payload', payload: parsed };
  const { challenge } = parsed;
  const isChallenge = typeof challenge === 'string' && challenge.length <= MAX_CHALLENGE_LENGTH;
  return isChallenge ? { kind: 'challenge', challenge } : unreadable('no challenge');
}

function unreadable(reason: string): RequestBody {
  return { kind: 'unreadable', reason };
}

/** Lets a few of many repeated entries pass, so that repetition cannot fill the log or the audit. */
export type RateLimiter = (key: string) => RateLimitVerdict;
/** `skipped`: entries with this key that were left out since the last one that passed. */
type RateLimitVerdict = { readonly pass: true; readonly skipped: number } | { readonly pass: false };

type RateLimiterOptions = {
  readonly clock: Pick<Clock, 'now'>;
  /** Entries with one key that pass in each interval. */
  readonly max: number;
  readonly everyMs: number;
};

/** Keys counted at once; the oldest is dropped first. */
const MAX_KEYS = 1_000;

/** Counts in memory, so each process has its own count. */
export function createRateLimiter({ clock, max, everyMs }: RateLimiterOptions): RateLimiter {
  const counts = new Map<string, { endsAt: Instant; passed: number; skipped: number }>();
  return (key) => {
    const now = clock.now();
    const count = counts.get(key) ?? { endsAt: now, passed: 0, skipped: 0 };
    counts.set(key, count);
    dropOldest(counts, MAX_KEYS);
    if (now >= count.endsAt) {
      count.endsAt = later(now, everyMs);
      count.passed = 0;
    }
    if (count.passed >= max) {
      count.skipped += 1;
      return { pass: false };
    }
    count.passed += 1;
    const { skipped } = count;
    count.skipped = 0;
    return { pass: true, skipped };
  };
}
