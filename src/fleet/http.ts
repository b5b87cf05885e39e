/**
 * One request to the management service over undici: URL, key, deadline, size cap, and what became of it.
 * Knows nothing of retries, lanes or resources. The only file that sees the key.
 */
import { Agent, type Dispatcher } from 'undici';
import type { Secret } from '../secret.ts';
import type { FleetError } from './fleet.ts';
import { type Attempt, interrupted, type Outcome, outcomeOf } from './outcome.ts';

export type HttpRequest = {
  readonly method: FleetError['method'];
  /** Path template: `/servers/{id}/queues`. */
  readonly path: string;
  readonly id?: number;
  /** Further values of the path: `{ entry: 5 }` for `/servers/{id}/queues/{entry}`. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** A list is sent as one parameter for each of its values. */
  readonly query: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly body?: unknown;
  /** A POST that only asks: like a GET it may be repeated and travels on a kept connection. */
  readonly safe?: true;
};
export type QueryValue = string | number;

export type HttpOptions = {
  readonly baseUrl: string;
  readonly apiKey: Secret;
  /** Longest answer, compressed or not. */
  readonly maxResponseBytes?: number;
  readonly connections?: number;
  readonly connectTimeoutMs?: number;
};
export type Http = {
  /** Sends once. A caller's own abort throws its reason; everything else is an {@link Outcome}. */
  readonly send: (request: HttpRequest, limits: Limits) => Promise<Outcome>;
  /** Reads in flight end at once; a write in flight still learns its answer. */
  readonly close: () => Promise<void>;
};
export type Limits = { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined };

const DEFAULT_MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Requests to one service with one key. */
export function createHttp(options: HttpOptions): Http {
  const {
    maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES,
    connections = 4,
    connectTimeoutMs = 10_000,
  } = options;
  const base = new URL(options.baseUrl);
  const shared = { connections, connect: { timeout: connectTimeoutMs }, allowH2: false };
  const reads = new Agent(shared);
  // A write never travels on a kept connection: one that the service has just closed would lose its answer.
  const writes = new Agent({ ...shared, pipelining: 0 });
  const secrets = [options.apiKey.reveal()];

  return {
    async send(request, { timeoutMs, signal }) {
      signal?.throwIfAborted();
      const timeout = AbortSignal.timeout(timeoutMs);
      const attempt: Attempt = { call: request, status: null, sent: false };
      try {
        const agent = request.method === 'GET' || request.safe === true ? reads : writes;
        const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
        const response = await noteSending(agent, attempt).request(
          wireOf(request, base, options.apiKey, stop),
        );
        attempt.status = response.statusCode;
        return await outcomeOf(attempt, response, { maxResponseBytes, secrets });
      } catch (error) {
        signal?.throwIfAborted();
        return interrupted(attempt, timeout.aborted ? 'timeout' : codeOf(error));
      }
    },
    async close() {
      await Promise.all([reads.destroyed ? null : reads.destroy(), writes.closed ? null : writes.close()]);
    },
  };
}

/** undici starts a request only on a connection that stands, so a failure before that has sent nothing. */
function noteSending(agent: Agent, attempt: Attempt): Dispatcher {
  return agent.compose((dispatch) => (options, handler) => {
    const start = handler.onRequestStart;
    handler.onRequestStart = (controller, context: unknown) => {
      attempt.sent = true;
      start?.call(handler, controller, context);
    };
    return dispatch(options, handler);
  });
}

function wireOf(
  request: HttpRequest,
  base: URL,
  apiKey: Secret,
  signal: AbortSignal,
): Dispatcher.RequestOptions {
  const hasBody = request.body !== undefined;
  return {
    origin: base.origin,
    method: request.method,
    path: `${base.pathname.replace(/\/+$/, '')}${targetOf(request)}`,
    headers: {
      authorization: `Bearer ${apiKey.reveal()}`,
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'patchbay',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    body: hasBody ? JSON.stringify(request.body) : null,
    signal,
    // The signal is the only deadline: undici's own would end in other words.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function targetOf({ path, id, values, query }: HttpRequest): string {
  const named: Readonly<Record<string, QueryValue | undefined>> = { ...values, id };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named[name])));
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    for (const one of [value].flat()) parameters.append(key, String(one));
  return parameters.size === 0 ? filled : `${filled}?${parameters}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no code';
}
