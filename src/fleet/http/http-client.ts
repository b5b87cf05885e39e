/**
 * One request to the management service over undici: URL, key, deadline, size limit and outcome. Knows nothing of
 * retries, lanes or resources. The only file that sees the key.
 */
import type { Dispatcher } from 'undici';
import type { Instant } from '../../lib/clock.ts';
import { jsonText } from '../../lib/json.ts';
import type { Secret } from '../../lib/log.ts';
import { createDispatcher, type ProxySettings, proxyErrorText, proxyFor } from '../../lib/proxy.ts';
import type { FleetError } from '../fleet.ts';
import type { RateLimitReport } from '../limits/token-bucket.ts';
import {
  type Attempt,
  type CallOutcome,
  HTTP_PARSER_ERROR_PREFIX,
  interruptedCall,
  readOutcome,
  withheldCall,
} from './call-outcome.ts';

export type HttpRequest = {
  readonly method: FleetError['method'];
  /** Path template: `/servers/{id}/queues`. */
  readonly path: string;
  readonly id?: number;
  /** Further values of the path: `{ entry: 5 }` for `/servers/{id}/queues/{entry}`. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** A list is sent as one parameter per value. */
  readonly query: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly body?: unknown;
  /** A POST that only reads: like a GET it may be repeated, and reuses a connection. */
  readonly safe?: true;
};
type QueryValue = string | number;

export type HttpOptions = {
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** Maximum size of an answer in bytes, compressed or not. */
  readonly maxResponseBytes?: number;
  readonly connections?: number;
  /** Absent: the service is reached directly. */
  readonly proxy?: ProxySettings | null;
  readonly onCount?: (count: RateLimitReport) => void;
  /** Called with the `Date` of each success. */
  readonly onDate?: (date: Instant) => void;
};
export type Http = ReturnType<typeof createHttp>;
export type SendOptions = {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asked when the connection is open, right before the request leaves; absent: it may leave. */
  readonly mayStart?: (() => boolean) | undefined;
};

const DEFAULT_MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

export function createHttp(options: HttpOptions) {
  const { maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES, connections = 4, proxy = null } = options;
  const base = new URL(options.baseUrl);
  const timeout = { timeout: CONNECT_TIMEOUT_MS };
  const through = proxy === null ? {} : { proxyTls: timeout, requestTls: timeout };
  const shared = { connections, connect: timeout, allowH2: false, ...through };
  const isProxied = proxyFor(proxy, options.baseUrl) !== null;
  const reads = createDispatcher(proxy, shared);
  // A write never reuses a connection: one that the service has just closed would lose its answer.
  const writes = createDispatcher(proxy, { ...shared, pipelining: 0 });
  let closing: Promise<unknown> | null = null;
  const tracked = { reads: trackSending(reads), writes: trackSending(writes) };
  const bounds = {
    maxResponseBytes,
    secrets: [options.apiKey.reveal()],
    onCount: options.onCount,
    onDate: options.onDate,
  };

  return {
    /** Sends once. A caller's own abort throws its reason; everything else is a {@link CallOutcome}. */
    async send(request: HttpRequest, { timeoutMs, signal, mayStart }: SendOptions): Promise<CallOutcome> {
      signal?.throwIfAborted();
      const attempt: Attempt = { call: request, status: null, sent: false, reference: null, mayStart };
      const stop = createDeadline(timeoutMs, signal);
      try {
        const agent = request.method === 'GET' || request.safe === true ? tracked.reads : tracked.writes;
        const response = await agent(toUndiciRequest(request, base, options.apiKey, stop.signal), attempt);
        attempt.status = response.statusCode;
        const outcome = await readOutcome(attempt, response, bounds);
        // Reading the body of an error may have been abandoned because of the caller's abort.
        signal?.throwIfAborted();
        return outcome;
      } catch (error) {
        if (attempt.withheld === true) return withheldCall(request);
        signal?.throwIfAborted();
        if (stop.late()) return interruptedCall(attempt, 'timeout');
        const proxyError = proxyErrorText(error);
        // A proxy does not pass on what it refuses.
        if (proxyError !== null) attempt.sent = false;
        const proxyHint = isProxied && !attempt.sent ? 'no connection through the proxy' : null;
        return interruptedCall(attempt, errorCodeOf(error), proxyError ?? proxyHint);
      } finally {
        stop.forget();
      }
    },
    /** Ends reads in flight at once; a write in flight still gets its answer. */
    async close(): Promise<void> {
      closing ??= Promise.all([reads.destroy(), writes.close()]);
      await closing;
    },
  };
}

/**
 * undici starts a request only on an open connection, so a failure before that has sent nothing. The dispatcher is
 * composed once: an attempt is looked up by the options that it was sent with.
 */
function trackSending(agent: Dispatcher) {
  const attempts = new WeakMap<object, Attempt>();
  const trackedAgent = agent.compose((dispatch) => (options, handler) => {
    const attempt = attempts.get(options);
    const start = handler.onRequestStart;
    handler.onRequestStart = (controller, context: unknown) => {
      if (attempt?.mayStart?.() === false) {
        attempt.withheld = true;
        controller.abort(new Error('stopped before it was sent'));
        return;
      }
      if (attempt !== undefined) attempt.sent = true;
      start?.call(handler, controller, context);
    };
    return dispatch(options, handler);
  });
  return (wire: Dispatcher.RequestOptions, attempt: Attempt) => {
    attempts.set(wire, attempt);
    return trackedAgent.request(wire);
  };
}

/** One signal for both: cheaper than `AbortSignal.any`, and nothing of it outlives the call. */
function createDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
  const stop = new AbortController();
  let late = false;
  const abandon = () => stop.abort();
  const timer = setTimeout(() => {
    late = true;
    stop.abort();
  }, timeoutMs);
  signal?.addEventListener('abort', abandon);
  return {
    signal: stop.signal,
    late: () => late,
    forget() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
    },
  };
}

function toUndiciRequest(
  request: HttpRequest,
  base: URL,
  apiKey: Secret,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  const hasBody = request.body !== undefined;
  return {
    origin: base.origin,
    method: request.method,
    path: `${base.pathname.replace(/\/+$/, '')}${pathWithQuery(request)}`,
    headers: {
      authorization: `Bearer ${apiKey.reveal()}`,
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'patchbay',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    body: hasBody ? jsonText(request.body) : null,
    signal,
    // The signal is the only deadline: undici's own timeouts would end in other errors.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function pathWithQuery({ path, id, values, query }: HttpRequest): string {
  const named: Readonly<Record<string, QueryValue | undefined>> = { ...values, id };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named[name])));
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(key, String(one));
  return parameters.size === 0 ? filled : `${filled}?${parameters}`;
}

function errorCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no code';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // undici's parser gives some of its errors no code.
  return error.name === 'HTTPParserError' ? `${HTTP_PARSER_ERROR_PREFIX}UNKNOWN` : 'no code';
}
