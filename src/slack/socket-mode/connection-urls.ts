/** Addresses of Socket Mode connections: requested one at a time, at a pace that Slack accepts. */
import type { WebClient } from '@slack/web-api';
import { MINUTE, SECOND, wallNow } from '../../lib/clock.ts';
import { readSlackError, slackErrorText } from '../web-api/slack-errors.ts';

/** Slack's errors for an app token that no waiting makes valid (docs.slack.dev/reference/methods/apps.connections.open, errors). */
const FINAL_ERRORS: ReadonlySet<string> = new Set([
  'not_authed',
  'invalid_auth',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'not_allowed_token_type',
  'missing_scope',
  'no_permission',
  'access_denied',
  'org_login_required',
  'two_factor_setup_required',
  'user_removed_from_team',
  'team_disabled',
  'team_access_not_granted',
]);

export type ConnectionUrl =
  | { readonly kind: 'address'; readonly url: string }
  /** The token is invalid: only a person can fix that. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Slack does not answer now, or asks to wait. `retryAfterMs`: 0 where it did not say. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly retryAfterMs: number };

/** Requests one address from Slack, which is good for one connection. Does not throw. */
export type RequestConnectionUrl = () => Promise<ConnectionUrl>;

export function createRequestConnectionUrl(client: WebClient): RequestConnectionUrl {
  return async () => {
    try {
      const { url } = await client.apps.connections.open();
      if (url !== undefined && URL.canParse(url)) return { kind: 'address', url };
      return { kind: 'unavailable', reason: 'the answer has no address', retryAfterMs: 0 };
    } catch (error) {
      const fault = readSlackError(error);
      if (fault.kind === 'refused' && FINAL_ERRORS.has(fault.error))
        return { kind: 'refused', reason: fault.error };
      const retryAfterMs = fault.kind === 'throttled' ? fault.retryAfterMs : 0;
      return { kind: 'unavailable', reason: slackErrorText(fault), retryAfterMs };
    }
  };
}

export type ConnectionUrlsOptions = {
  readonly request: RequestConnectionUrl;
  /** In [0, 1): the jitter. */
  readonly random?: () => number;
  /** Waits this long (wall time), or until the signal. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now?: () => number;
};

/**
 * Shared by several connections: one request at a time, with growing pauses while Slack does not answer. Slack takes
 * one call a minute and short bursts (docs.slack.dev/apis/web-api/rate-limits, tier 1).
 */
export type ConnectionUrls = Readonly<ReturnType<typeof createConnectionUrls>>;

const FIRST_BACKOFF_MS = SECOND;
const MAX_BACKOFF_MS = MINUTE;
/** Calls at once after a quiet time; one more is allowed each minute. */
const BURST = 20;

export function createConnectionUrls(options: ConnectionUrlsOptions) {
  const { request, random = Math.random, sleep, now = wallNow } = options;
  let failures = 0;
  let askedToWaitUntil = 0;
  let left = BURST;
  let countedAt = now();
  let turn: Promise<unknown> = Promise.resolve();

  const pause = (): number => {
    left = Math.min(BURST, left + Math.max(0, now() - countedAt) / MINUTE);
    countedAt = now();
    const worn = left >= 1 ? 0 : (1 - left) * MINUTE;
    const longest = failures === 0 ? 0 : Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
    // Half of the pause is random, so that many processes do not call at once.
    return Math.max(longest * (0.5 + random() / 2), worn, askedToWaitUntil - now());
  };
  const askInTurn = async (signal: AbortSignal): Promise<ConnectionUrl> => {
    const ms = pause();
    if (ms > 0) await sleep(ms, signal);
    if (signal.aborted) return { kind: 'unavailable', reason: 'stopped', retryAfterMs: 0 };
    left -= 1;
    const address = await request();
    if (address.kind !== 'address') failures += 1;
    if (address.kind === 'unavailable') askedToWaitUntil = now() + address.retryAfterMs;
    return address;
  };
  return {
    next(signal: AbortSignal): Promise<ConnectionUrl> {
      const mine = turn.then(() => askInTurn(signal));
      turn = mine;
      return mine;
    },
    /** The connection to an address broke before it was of use. */
    failed: (): void => {
      failures += 1;
    },
    worked: (): void => {
      failures = 0;
    },
  };
}
