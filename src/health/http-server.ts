/** The HTTP server of the process: health routes from the start, and Slack's requests once their receiver is ready. */
import { subscribe, unsubscribe as unsubscribeFrom } from 'node:diagnostics_channel';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { Config } from '../config/config.ts';
import { SECOND } from '../lib/clock.ts';
import type { HttpRoute } from '../slack/receiver/http-receiver.ts';

export type HealthServer = {
  /** Hands requests over to the receiver of signed HTTP, without a gap in listening. */
  readonly server: Server;
  /** Idempotent. The port is free again when it resolves. */
  readonly stop: () => Promise<void>;
};

/** Our own limits in wall time: Slack sends each request in one go. */
const SERVER_LIMITS = {
  headersTimeout: 5 * SECOND,
  requestTimeout: 10 * SECOND,
  keepAliveTimeout: 5 * SECOND,
  connectionsCheckingInterval: SECOND,
  maxHeaderSize: 16 * 1024,
};
/** The oldest that has not sent a whole request makes room for the next. */
const MAX_CONNECTIONS = 256;

/** Other paths are answered with 503 until then, so Slack tries again. */
export function serveHealth(
  routes: readonly HttpRoute[],
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<HealthServer> {
  const server = createServer(SERVER_LIMITS, (request, response) => {
    const route = routes.find(({ path }) => path === request.url);
    if (route === undefined || request.method !== 'GET') {
      response.writeHead(request.method === 'POST' ? 503 : 404).end();
      return;
    }
    route.answer().then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.writeHead(500).end(),
    );
  });
  admitNewest(server);
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve({ server, stop }));
  });
}

/**
 * Slow clients cannot keep health checks and Slack out: their connections are closed first. A limit of Node's own would
 * refuse the newest instead, whoever it is.
 */
function admitNewest(server: Server): void {
  /** Open connections, oldest first, each with its request. */
  const open = new Map<Socket, IncomingMessage | null>();
  server.on('connection', (socket) => {
    open.set(socket, null);
    socket.once('close', () => open.delete(socket));
    if (open.size <= MAX_CONNECTIONS) return;
    const slow = [...open].find(([, request]) => request?.complete !== true);
    slow?.[0].destroy();
  });
  // Not as listeners of the server, because Slack's receiver replaces those.
  const unsubscribe = [
    onRequest('http.server.request.start', ({ socket, request }) => {
      if (open.has(socket)) open.set(socket, request);
    }),
    onRequest('http.server.response.finish', ({ socket }) => {
      if (open.has(socket)) open.set(socket, null);
    }),
  ];
  server.once('close', () => {
    for (const end of unsubscribe) end();
  });
}

type RequestEvent = { readonly socket: Socket; readonly request: IncomingMessage };

/** Of all servers of the process (nodejs.org/api/diagnostics_channel, built-in channels). Returns how to end it. */
function onRequest(name: string, listener: (event: RequestEvent) => void): () => void {
  const receive = (event: unknown): void => {
    if (typeof event !== 'object' || event === null) return;
    if (!('socket' in event && event.socket instanceof Socket)) return;
    if ('request' in event && event.request instanceof IncomingMessage)
      listener({ socket: event.socket, request: event.request });
  };
  subscribe(name, receive);
  return () => void unsubscribeFrom(name, receive);
}
