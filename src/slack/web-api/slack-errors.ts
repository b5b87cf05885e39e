/** Errors of Slack calls, by what may be done next. */
import { RespondError } from '@slack/bolt';
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { z } from 'zod';
import { connectionErrorText, NO_ANSWER_IN_TIME } from '../../lib/connection-errors.ts';
import { tryParseJson } from '../../lib/json.ts';
import { proxyErrorText } from '../../lib/proxy.ts';

export type SlackError =
  /** Slack answered and did nothing. `error` is Slack's own code. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The call was never sent: there was no connection to Slack. */
  | { readonly kind: 'unsent'; readonly detail: string }
  /** Slack did nothing and asks to wait. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  /** The answer was lost: it may have been done, or, `inFlight`, may still be done a little later. */
  | { readonly kind: 'uncertain'; readonly detail: string; readonly inFlight: boolean };

export type SlackResult<T> = { readonly kind: 'ok'; readonly value: T } | SlackError;

/** Our own code for a channel that another organization reads: alerts are held back from it. */
export const EXTERNALLY_SHARED_ERRORS = 'externally_shared';
/** And for one in which cards of requests are shortened for the same reason. */
export const REQUESTS_SHORTENED = 'requests_shortened';

/** Errors after which this channel will not accept the card, now or later (docs.slack.dev/reference/methods/chat.postMessage, errors). */
const CHANNEL_REFUSED_ERRORS: ReadonlySet<string> = new Set([
  EXTERNALLY_SHARED_ERRORS,
  'channel_not_found',
  'not_in_channel',
  'user_not_in_channel',
  'is_archived',
  'is_inactive',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'restricted_action_non_threadable_channel',
  'messages_tab_disabled',
  'user_not_found',
  'cannot_dm_bot',
]);

/** Errors about the content: the same content will never be accepted. */
const CONTENT_REFUSED_ERRORS: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  // Observed for refused tables.
  'invalid_attachments',
  'only_one_table_allowed',
  'msg_too_long',
  'metadata_too_large',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'no_text',
]);

/**
 * The same for windows: any broken rule is an invalid argument of the call, and 250 KB are too large
 * (docs.slack.dev/reference/methods/views.update, errors).
 */
const WINDOW_REFUSED_ERRORS: ReadonlySet<string> = new Set([
  ...CONTENT_REFUSED_ERRORS,
  'invalid_arguments',
  'view_too_large',
]);

/** Errors about a message that stands and can never be edited again (docs.slack.dev/reference/methods/chat.update, errors). */
const EDIT_REFUSED_ERRORS: ReadonlySet<string> = new Set(['cant_update_message', 'edit_window_closed']);

/** Errors after which the message can never be edited again. */
const MESSAGE_GONE_ERRORS: ReadonlySet<string> = new Set([
  ...EDIT_REFUSED_ERRORS,
  'message_not_found',
  'channel_not_found',
  'is_inactive',
  'is_archived',
]);

export const isChannelRefused = (error: string): boolean => CHANNEL_REFUSED_ERRORS.has(error);
export const isContentRefused = (error: string): boolean => CONTENT_REFUSED_ERRORS.has(error);
export const isWindowRefused = (error: string): boolean => WINDOW_REFUSED_ERRORS.has(error);
export const isEditRefused = (error: string): boolean => EDIT_REFUSED_ERRORS.has(error);
export const isMessageGoneError = (error: string): boolean => MESSAGE_GONE_ERRORS.has(error);

/** Slack's error codes; anything else there is a body that could not be read. */
const ERROR_CODE_PATTERN = /^[a-z][a-z0-9_]*$/;

/**
 * Codes for a failure of Slack's own, such as `fatal_error`, `internal_error`, `request_timeout`, `service_unavailable` and
 * `update_failed`: "It's possible some aspect of the operation succeeded before the error was raised"
 * (docs.slack.dev/reference/methods/chat.postMessage, errors). The last two are for a team or channel that is moving.
 */
const OWN_FAILURE_PATTERN =
  /(?:^|_)(?:errors?|fail(?:ed|ure)|time(?:d_)?out|(?:un|not_)available|overloaded|try_again(?:_later)?)$|^team_added_to_org$|_migrating$/;

/** What an answer with `ok: false` says: Slack did nothing for a rule of its own, or it failed and may have done it. */
export function readRefusal(code: string): SlackError {
  if (!ERROR_CODE_PATTERN.test(code))
    return { kind: 'uncertain', detail: 'an answer that isn’t JSON', inFlight: false };
  return OWN_FAILURE_PATTERN.test(code)
    ? { kind: 'uncertain', detail: code, inFlight: false }
    : { kind: 'refused', error: code };
}

/** Turns what a WebClient call threw into a SlackError. Whatever is not clearly an answer counts as uncertain. */
export function readSlackError(error: unknown): SlackError {
  if (error instanceof WebAPIPlatformError) return readRefusal(error.data.error);
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: 'throttled', retryAfterMs: Math.max(error.retryAfter, 1) * 1_000 };
  }
  if (error instanceof WebAPIHTTPError)
    return { kind: 'uncertain', detail: `HTTP ${error.statusCode}`, inFlight: false };
  const isNetwork = error instanceof WebAPIRequestError;
  const cause = isNetwork ? error.original : error;
  // A proxy forwards nothing of what it refuses.
  const refusedByProxy = proxyErrorText(cause);
  if (refusedByProxy !== null) return { kind: 'unsent', detail: refusedByProxy };
  if (connectFailure(cause) !== null) return { kind: 'unsent', detail: networkErrorText(cause) };
  const name = cause instanceof Error ? cause.name : 'unknown';
  // A call that we stopped waiting for continues at the other end; a broken connection does not.
  const inFlight = /timeout|abort/i.test(name);
  const detail = isNetwork || inFlight ? networkErrorText(cause) : 'an unreadable answer';
  return { kind: 'uncertain', detail, inFlight };
}

/** Of a call whose answer says nothing more than that it was accepted. */
export function doneResult(call: () => Promise<unknown>): Promise<SlackResult<null>> {
  return slackResult(async () => {
    await call();
    return null;
  });
}

export async function slackResult<T>(call: () => Promise<T>): Promise<SlackResult<T>> {
  try {
    return { kind: 'ok', value: await call() };
  } catch (error) {
    return readSlackError(error);
  }
}

/** Error codes of Node and undici for a connection that was never made: nothing was sent over it. */
const NEVER_CONNECTED_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code of a failed connection, also inside the errors of `fetch` or of several addresses; else null. */
function connectFailure(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 4) return null;
  if ('code' in error && NEVER_CONNECTED_CODES.has(error.code)) return String(error.code);
  if (error instanceof AggregateError) {
    const codes = error.errors.map((one) => connectFailure(one, depth + 1));
    return codes.length > 0 && codes.every((code) => code !== null) ? (codes[0] ?? null) : null;
  }
  return connectFailure(error.cause, depth + 1);
}

/**
 * The same for a response URL. Bolt keeps only the status of Slack's answer: 410 is about the URL, which lives 30 minutes
 * and five uses, 400 about the message, and 404 about either (slackapi/java-slack-sdk, issue 1349: `invalid_blocks`).
 * The error contains the URL, with which anybody could post, so it is dropped.
 */
export function readRespondError(error: unknown): SlackError {
  if (!(error instanceof RespondError)) return { kind: 'uncertain', detail: 'no answer', inFlight: false };
  const { statusCode } = error;
  if (statusCode === 400 || statusCode === 404) return { kind: 'refused', error: 'invalid_blocks' };
  if (statusCode === 410) return { kind: 'refused', error: 'expired_url' };
  return { kind: 'uncertain', detail: `HTTP ${statusCode}`, inFlight: false };
}

const responseRefusal = z.object({ ok: z.literal(false), error: z.string() });

/** What a response URL answered with a status of success: one word, or the same JSON as a call. */
export function readResponse(text: string): SlackResult<null> {
  const refusal = responseRefusal.safeParse(tryParseJson(text));
  return refusal.success ? readRefusal(refusal.data.error) : { kind: 'ok', value: null };
}

/** Slack's code for why it did nothing; null where it did not say whether it did. */
export function slackErrorCode(fault: SlackError): string | null {
  switch (fault.kind) {
    case 'refused':
      return fault.error;
    case 'throttled':
      return 'ratelimited';
    case 'unsent':
    case 'uncertain':
      return null;
  }
}

export function slackErrorText(fault: SlackError): string {
  switch (fault.kind) {
    case 'refused':
      return fault.error;
    case 'throttled':
      return `rate limited for ${fault.retryAfterMs} ms`;
    case 'unsent':
    case 'uncertain':
      return fault.detail;
  }
}

/** What Slack documents as always there. */
export function requiredField<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`Slack's answer lacks ${name}`);
  return value;
}

/** Causes of an error that are followed. */
const MAX_CAUSES = 5;

/** One phrase, such as "the connection was refused"; never the library's own text, which may contain an address. */
export function networkErrorText(error: unknown): string {
  const chain = causesOf(error);
  for (const code of chain.map(codeOf)) {
    const known = code === null ? null : connectionErrorText(code);
    if (known !== null) return known;
  }
  // The fetch standard blocks some ports (fetch.spec.whatwg.org, port blocking).
  if (chain.some((one) => one instanceof Error && one.message === 'bad port'))
    return 'HTTP clients block its port';
  const isLate = chain.some((one) => one instanceof Error && /timeout|abort/i.test(one.name));
  if (isLate) return NO_ANSWER_IN_TIME;
  const [code] = chain.map(codeOf).filter((one) => one !== null && /^[A-Z][A-Z0-9_]+$/.test(one));
  return code === undefined ? 'no connection, or it was lost' : `no connection, or it was lost (${code})`;
}

/** The error and its causes; of several attempts (one for each address), the first. */
function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && chain.length < MAX_CAUSES; one = innerOf(one))
    chain.push(one);
  return chain;
}

function innerOf(error: Error): unknown {
  if ('original' in error) return error.original;
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
