/**
 * The HTTP transport: Slack's requests and the health routes on one server that already listens. A request's size and
 * time are limited, then its signature is checked, then its body is parsed. A signed body that cannot be parsed is
 * acknowledged, because Slack would only send it again.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AckFn, App, Receiver } from '@slack/bolt';
import { SECOND, wallNow } from '../../lib/clock.ts';
import {
  type IsFirstUse,
  isCertificateCheck,
  type LogRejected,
  type Payload,
  readRequestBody,
  signatureFault,
} from './request-checks.ts';

export type HttpRoute = { readonly path: string; readonly answer: () => Promise<HttpRouteAnswer> };
export type HttpRouteAnswer = { readonly status: number; readonly body: unknown };

export type HttpReceiverOptions = {
  readonly signingSecret: string;
  readonly routes: readonly HttpRoute[];
  /** Already listening; this receiver handles its requests. Whoever opened it closes it. */
  readonly server: Server;
  readonly logRejected: LogRejected;
  readonly isFirstUse: IsFirstUse;
};
export type HttpReceiver = Omit<Receiver, 'start' | 'stop'> & {
  readonly start: () => Promise<void>;
  /** From now on Slack hears 503: it sends an event again, and shows its error for a command. Health checks still work. */
  readonly stopAccepting: () => void;
  readonly stop: () => Promise<void>;
};

/** Slack's request URL (Bolt's default, which the manifest names). */
const ENDPOINT = '/slack/events';
/** Slack's largest payload contains a window of 250 KB (docs.slack.dev/reference/methods/views.open). */
const MAX_BODY_BYTES = 1024 * 1024;
/** Slack's limit for an acknowledgement (docs.slack.dev/interactivity/handling-user-interaction). */
const ACK_WITHIN_MS = 3 * SECOND;
/** Replaces Bolt's own receiver, which ends the process for a body that is `null`. */
export function createHttpReceiver(options: HttpReceiverOptions): HttpReceiver {
  const { signingSecret, routes, server, logRejected, isFirstUse } = options;
  let app: Pick<App, 'processEvent'> | null = null;

  const handOver = async (
    request: IncomingMessage,
    response: ServerResponse,
    body: Payload,
  ): Promise<void> => {
    const late = setTimeout(() => {
      logRejected('http', 'not acknowledged in time');
      endResponse(response, 503);
    }, ACK_WITHIN_MS);
    const ack: AckFn<unknown> = async (answer) => {
      clearTimeout(late);
      acknowledge(response, answer);
    };
    try {
      await app?.processEvent({ body, ack, customProperties: ageOf(request), ...retryOf(request) });
    } finally {
      clearTimeout(late);
      endResponse(response, 200);
    }
  };

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await readUpTo(request, MAX_BODY_BYTES);
    if (raw === null) {
      logRejected('http', 'body too large');
      return endResponse(response, 413, { connection: 'close' });
    }
    const { 'content-type': type, ...headers } = request.headers;
    const timestamp = headers['x-slack-request-timestamp'];
    const signature = headers['x-slack-signature'];
    if (signature === undefined && isCertificateCheck(type, raw)) return endResponse(response, 200);
    const fault =
      signatureFault({ timestamp, signature, body: raw }, signingSecret, wallNow()) ??
      ((await isFirstUse(String(signature))) ? null : 'sent before');
    if (fault !== null) {
      logRejected('http', fault);
      return endResponse(response, 401);
    }
    const body = readRequestBody(type, raw);
    switch (body.kind) {
      case 'payload':
        return handOver(request, response, body.payload);
      case 'challenge':
        return acknowledge(response, { challenge: body.challenge });
      case 'unreadable':
        logRejected('http', body.reason);
        return endResponse(response, 200);
    }
  };

  let accepting = true;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!accepting && request.method === 'POST') {
      response.writeHead(503, { connection: 'close', 'retry-after': '5' }).end();
      return;
    }
    const path = URL.parse(request.url ?? '/', 'http://localhost')?.pathname;
    if (path === ENDPOINT && request.method === 'POST') return receive(request, response);
    const route = routes.find((each) => each.path === path);
    if (route === undefined || request.method !== 'GET') return endResponse(response, 404);
    const { status, body } = await route.answer();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

  return {
    init: (to) => {
      app = to;
    },
    start: async () => {
      server.removeAllListeners('request');
      server.on('request', (request, response) => {
        answer(request, response).catch((error: unknown) => {
          logRejected('http', error instanceof Error ? error.name : 'unknown');
          endResponse(response, 500);
        });
      });
    },
    stopAccepting: () => {
      accepting = false;
    },
    stop: async () => server.closeIdleConnections(),
  };
}

function ageOf({ headers }: IncomingMessage) {
  const sentAt = Number(headers['x-slack-request-timestamp']) * SECOND;
  return { ageMs: Math.max(wallNow() - sentAt, 0) };
}

/** Null where it is larger; the rest is discarded as it arrives. */
async function readUpTo(request: IncomingMessage, most: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > most) {
    request.resume();
    return null;
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | null>();
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= most) chunks.push(chunk);
    else resolve(null);
  });
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.once('error', reject);
  request.once('close', () => reject(new Error('the request was cut')));
  return promise;
}

/** Sends an acknowledgement as Slack expects it: empty, text, or JSON. Only once. */
function acknowledge(response: ServerResponse, answer: unknown): void {
  if (response.headersSent) return;
  if (answer === undefined || answer === null || answer === '') endResponse(response, 200);
  else if (typeof answer === 'string') response.writeHead(200).end(answer);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

function endResponse(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (!response.headersSent) response.writeHead(status, headers).end();
}

/** The retry number and reason of an event (docs.slack.dev/apis/events-api). */
function retryOf({ headers }: IncomingMessage): {
  readonly retryNum?: number;
  readonly retryReason?: string;
} {
  const count = Number(headers['x-slack-retry-num'] ?? Number.NaN);
  const reason = headers['x-slack-retry-reason'];
  return {
    ...(Number.isInteger(count) ? { retryNum: count } : {}),
    ...(typeof reason === 'string' ? { retryReason: reason } : {}),
  };
}
