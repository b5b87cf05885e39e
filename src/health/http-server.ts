/** The one server of the process: health routes from the first moment, and Slack's requests once their receiver is there. */
import { createServer, type Server } from 'node:http';
import type { Config } from '../config/config.ts';
import { SECOND } from '../lib/clock.ts';
import type { HttpRoute } from '../slack/receiver/bolt-app.ts';

export type HealthServer = {
  /** For the receiver of signed HTTP, which takes its requests over without a moment in which nobody listens. */
  readonly server: Server;
  /** Idempotent. The port is free again when it resolves. */
  readonly stop: () => Promise<void>;
};

/** Our own limits, in wall time: Slack sends a request at once. */
const SERVER_LIMITS = {
  headersTimeout: 5 * SECOND,
  requestTimeout: 10 * SECOND,
  keepAliveTimeout: 5 * SECOND,
  connectionsCheckingInterval: SECOND,
  maxHeaderSize: 16 * 1024,
};
const MAX_CONNECTIONS = 256;

/** Whatever is no health route is answered with 503: Slack tries again. */
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
  server.maxConnections = MAX_CONNECTIONS;
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
