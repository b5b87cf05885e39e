/** The outcome of one request, from its answer or from how it ended. Never holds the key. */

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Instant, wallNow } from '../../lib/clock.ts';
import { connectionErrorText } from '../../lib/connection-errors.ts';
import type { FleetError } from '../fleet.ts';
import { type RateLimitReport, readRateLimit } from '../limits/token-bucket.ts';
import { parseHttpDate } from '../schema/timestamps.ts';
import {
  type CallEndpoint,
  errorDetail,
  type FailureCause,
  failureCause,
  fleetError,
  isErrorAnswer,
  requestIdIn,
  retryAfterMs,
} from './errors.ts';

export type CallOutcome = AnsweredCall | FailedCall;
type AnsweredCall = {
  readonly kind: 'answered';
  /** The parsed body; undefined where there was none. */
  readonly json: unknown;
};
export type FailedCall = {
  readonly kind: 'failed';
  readonly error: FleetError;
  /** Whether any of the request may have left this machine. */
  readonly sent: boolean;
  /** A write that was stopped before it was sent. */
  readonly withheld?: true;
  readonly retryable: boolean;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
};

/** One request in progress; its fields fill as it proceeds. */
export type Attempt = {
  readonly call: CallEndpoint;
  status: number | null;
  /** Whether any of it may have left this machine. */
  sent: boolean;
  /** Asked right before the request leaves; absent: it may leave. */
  readonly mayStart?: (() => boolean) | undefined;
  /** `mayStart` did not allow it, so it did not leave. */
  withheld?: true;
  reference: string | null;
};

export const HTTP_PARSER_ERROR_PREFIX = 'HPE_';
const MALFORMED: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);

/** Enough for any message; a longer error page is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

type ResponseLimits = {
  readonly maxResponseBytes: number;
  /** Values that no error may hold. */
  readonly secrets: readonly string[];
  readonly onCount?: ((count: RateLimitReport) => void) | undefined;
  readonly onDate?: ((date: Instant) => void) | undefined;
};

/** The outcome of an answer that has begun. Throws when the connection ends before the answer does. */
export async function readOutcome(
  attempt: Attempt,
  response: Dispatcher.ResponseData,
  bounds: ResponseLimits,
): Promise<CallOutcome> {
  const date = parseHttpDate(header(response, 'date') ?? '');
  const count = readRateLimit((name) => header(response, name), date);
  if (count !== null) bounds.onCount?.(count);
  attempt.reference = requestIdIn(header(response, 'x-request-id'), bounds.secrets);
  const wait = retryAfterMs(header(response, 'retry-after'), date ?? wallNow());
  const cause = failureCause(response.statusCode, wait);
  const encoding = header(response, 'content-encoding');
  if (cause !== null) {
    // The status has decided; a body that can't be read only leaves the detail empty.
    const body = await readResponseBody(response.body, encoding, MAX_ERROR_BYTES).catch(() => null);
    const detail = body?.kind === 'text' ? errorDetail(body.text, bounds.secrets) : '';
    const retryable = cause.kind === 'broken' || cause.kind === 'throttled' || cause.kind === 'timeout';
    return failedCall(attempt, cause, detail, retryable, wait);
  }
  // Only of successes: an error may come from a gateway in between, with a clock of its own.
  if (date !== null) bounds.onDate?.(date);
  const body = await readResponseBody(response.body, encoding, bounds.maxResponseBytes);
  return parsedOutcome(attempt, body, bounds.secrets);
}

function parsedOutcome(attempt: Attempt, body: ResponseBody, secrets: readonly string[]): CallOutcome {
  switch (body.kind) {
    case 'too-large':
      return failedCall(attempt, { kind: 'too-large' }, 'the answer is longer than the limit', false);
    case 'undecodable':
      return failedCall(attempt, { kind: 'unreadable' }, 'the compressed answer is unreadable', false);
    case 'text': {
      if (body.text.trim() === '') return { kind: 'answered', json: undefined };
      const isPage = body.text.trimStart().startsWith('<');
      try {
        const json = parseWithoutSecrets(body.text);
        if (!isErrorAnswer(json)) return { kind: 'answered', json };
        return declinedCall(attempt, errorDetail(body.text, secrets));
      } catch {
        // Not quoted: text that is not JSON may be anything, including a page with secrets.
        if (isPage) return declinedCall(attempt, 'a web page instead of JSON');
        return failedCall(attempt, { kind: 'unreadable' }, 'not JSON', false);
      }
    }
  }
}

/** `code` is the network library's code, never its message; `what` is the cause in words, where known. */
export function interruptedCall(attempt: Attempt, code: string, what: string | null = null): FailedCall {
  if (code === 'timeout') return failedCall(attempt, { kind: 'timeout' }, 'no complete answer in time', true);
  if (attempt.status !== null)
    return failedCall(attempt, { kind: 'unreadable' }, `cut short (${code})`, true);
  if (code.startsWith(HTTP_PARSER_ERROR_PREFIX) || MALFORMED.has(code))
    return failedCall(attempt, { kind: 'unreadable' }, `not HTTP (${code})`, false);
  const known = what === null ? connectionErrorText(code) : null;
  const detail = known ?? `${what ?? 'no connection, or it was lost'} (${code})`;
  return failedCall(attempt, { kind: 'unreachable' }, detail, true);
}

function failedCall(
  attempt: Attempt,
  cause: FailureCause,
  detail: string,
  retryable: boolean,
  wait: number | null = null,
): FailedCall {
  return {
    kind: 'failed',
    error: fleetError(attempt.call, attempt.status, cause, detail, attempt.reference),
    sent: attempt.sent,
    retryable,
    retryAfterMs: wait,
  };
}

/** Answered by a 2xx that came whole, and is none. */
function declinedCall(attempt: Attempt, detail: string): FailedCall {
  const failed = failedCall(attempt, { kind: 'unreadable' }, detail, false);
  return { ...failed, error: { ...failed.error, declined: true } };
}

function header(response: Dispatcher.ResponseData, name: string): string | null {
  const value = response.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

export function withheldCall(call: CallEndpoint): FailedCall {
  const error = fleetError(call, null, { kind: 'unreachable' }, 'stopped before it was sent');
  return { kind: 'failed', error, sent: false, withheld: true, retryable: false, retryAfterMs: null };
}

type ResponseBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too-large' }
  /** Compressed in an unsupported way, or cut off inside the compressed data. */
  | { readonly kind: 'undecodable' };

const unzip = promisify(gunzip);

/** Reads `chunks` up to `limit` bytes; leaving the loop early drops the connection. Network failures throw. */
async function readResponseBody(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string | null,
  limit: number,
): Promise<ResponseBody> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > limit) return { kind: 'too-large' };
    parts.push(chunk);
  }
  return decode(Buffer.concat(parts, size), encoding?.trim().toLowerCase() ?? null, limit);
}

async function decode(bytes: Buffer, encoding: string | null, limit: number): Promise<ResponseBody> {
  if (encoding === null || encoding === 'identity' || bytes.byteLength === 0) return decodeText(bytes);
  if (encoding !== 'gzip' && encoding !== 'x-gzip') return { kind: 'undecodable' };
  try {
    return decodeText(await unzip(bytes, { maxOutputLength: limit }));
  } catch (error) {
    const tooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { kind: tooLarge ? 'too-large' : 'undecodable' };
  }
}

function decodeText(bytes: Buffer): ResponseBody {
  // A byte order mark is not part of the text, and JSON.parse refuses it.
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return { kind: 'text', text: bytes.toString('utf8', marked ? 3 : 0) };
}

/**
 * Parses JSON without the secrets that the service puts into its answers: the enrollment key of an organization
 * (`access_key`), a user's `intercom_hmac`, and what API keys and webhooks carry (management API in practice, 2.5).
 */
const SECRET_FIELDS: ReadonlySet<string> = new Set([
  'access_key',
  'accessKey',
  'intercom_hmac',
  'api_key',
  'apiKey',
  'api_secret',
  'client_secret',
  'clientSecret',
  'secret',
]);
/**
 * The endings of these names. Searching for a few characters is far cheaper than walking a whole answer, and cheaper
 * than searching for whole names: short strings use the processor's own search. That search stops at every occurrence
 * of the first character, so the character has to be rare in answers: `_key"` takes three to nine times as long.
 */
const SECRET_FIELD_ENDINGS = ['key"', 'Key"', 'hmac"', 'cret"'];
/** A plain letter written as an escape could hide a name. */
const ESCAPED_LETTER = /\\u00[2-7]/;

/** Sent back whole when the policy is changed: a removed secret would be lost. It never leaves this folder. */
const UNTOUCHED_FIELD = 'configuration';

/** Like `JSON.parse`, but without any of these fields, at any depth. Throws when `text` is not JSON. */
export function parseWithoutSecrets(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (mayHoldSecrets(text)) removeSecrets(value);
  return value;
}

function mayHoldSecrets(text: string): boolean {
  for (const mark of SECRET_FIELD_ENDINGS) if (text.includes(mark)) return true;
  return text.includes('\\u00') && ESCAPED_LETTER.test(text);
}

/** Without recursion: hostile nesting must not overflow the stack. */
function removeSecrets(value: unknown): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    for (const [key, inner] of Object.entries(one)) {
      if (SECRET_FIELDS.has(key)) Reflect.deleteProperty(one, key);
      else if (key !== UNTOUCHED_FIELD) open.push(inner);
    }
  }
}
