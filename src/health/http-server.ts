/** The HTTP server of the process: health routes from the start, and Slack's requests once their receiver is ready. */
import { createServer, IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
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
  const server = createServer({ ...SERVER_LIMITS, IncomingMessage: NotedRequest }, (request, response) => {
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

/** Of each connection, its last request. */
const lastRequests = new WeakMap<Socket, IncomingMessage>();

/** Noted here and not by a listener of the server, because Slack's receiver replaces those. */
class NotedRequest extends IncomingMessage {
  constructor(socket: Socket) {
    super(socket);
    lastRequests.set(socket, this);
  }
}

/**
 * Slow clients cannot keep health checks and Slack out: their connections are closed first. A limit of Node's own would
 * refuse the newest instead, whoever it is.
 */
function admitNewest(server: Server): void {
  /** Open connections, oldest first. */
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    const older = [...open];
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size <= MAX_CONNECTIONS) return;
    const slow = older.find((one) => lastRequests.get(one)?.complete !== true);
    (slow ?? older[0])?.destroy();
  });
}
