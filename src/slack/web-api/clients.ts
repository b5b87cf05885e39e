/**
 * The one place that makes WebClients. By default the client sends a post again after any network error, time-out or
 * 5xx, so that one message becomes two, and one 429 pauses every call; measured.
 */
import { LogLevel, type Logger as SlackLogger } from '@slack/bolt';
import { WebAPIHTTPError, WebClient, type WebClientOptions } from '@slack/web-api';
import type { Config } from '../../config/config.ts';
import type { Log, Secret } from '../../lib/log.ts';
import { createFetch, type ProxySettings } from '../../lib/proxy.ts';

/** Wall time for one call. */
const CALL_TIMEOUT_MS = 8_000;

export type SlackClients = Readonly<ReturnType<typeof createClients>>;

export function createClients(slack: Config['slack'], log: Log) {
  const token = slack.botToken.reveal();
  return {
    /** For calls that change something: never repeated by the client. */
    writes: new WebClient(token, clientOptions(slack, log, 0)),
    /** For calls that only read: repeated a few times. */
    reads: new WebClient(token, clientOptions(slack, log, 2)),
    /** Sends a file's bytes to the address that Slack gave for them. */
    upload: (url: string, bytes: Uint8Array<ArrayBuffer>) => uploadThrough(slack.proxy, url, bytes),
  };
}

/** The address needs no token (docs.slack.dev/reference/methods/files.getUploadURLExternal). */
async function uploadThrough(
  proxy: ProxySettings | null,
  url: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const send = fetchThrough(proxy) ?? fetch;
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const { status, statusText, headers } = await send(url, {
    method: 'POST',
    body: bytes,
    redirect: 'error',
    signal,
  });
  if (status !== 200) throw new WebAPIHTTPError(status, statusText, Object.fromEntries(headers), '');
}

/** The client of the app-level token: it only requests Socket Mode connections. */
export function createAppClient(
  slack: Pick<Config['slack'], 'apiUrl' | 'proxy'>,
  appToken: Secret,
  log: Log,
  retries = 1,
): WebClient {
  return new WebClient(appToken.reveal(), clientOptions(slack, log, retries));
}

/** All clients share their connections to a proxy. */
const slackFetch = new WeakMap<ProxySettings, typeof fetch>();
function fetchThrough(proxy: ProxySettings | null): typeof fetch | undefined {
  const known = proxy === null ? undefined : slackFetch.get(proxy);
  if (proxy === null || known !== undefined) return known;
  const made = createFetch(proxy);
  slackFetch.set(proxy, made);
  return made;
}

/** A fresh object for each client. */
export function clientOptions(
  { apiUrl, proxy }: Pick<Config['slack'], 'apiUrl' | 'proxy'>,
  log: Log,
  retries: number,
): WebClientOptions {
  const proxied = fetchThrough(proxy);
  return {
    slackApiUrl: apiUrl,
    // Bolt also uses it to answer at response URLs.
    ...(proxied === undefined ? {} : { fetch: proxied }),
    retryConfig: { retries, minTimeout: 200, maxTimeout: 1_000, randomize: true },
    timeout: CALL_TIMEOUT_MS,
    rejectRateLimitedCalls: true,
    logger: slackLogger(log),
  };
}

/** Slack's libraries log through ours; their debug lines contain whole payloads and are left out. */
export function slackLogger(log: Log): SlackLogger {
  const say =
    (level: 'info' | 'warn' | 'error') =>
    (...parts: unknown[]) => {
      log[level]({ event: 'slack.library' }, parts.map(String).join(' '));
    };
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: say('warn'),
    error: say('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
