/** Serves the health routes: from the first moment, and later beside Slack's own receiver where that has no port. */
import { createServer } from 'node:http';
import type { Config } from '../config.ts';
import type { Route } from '../slack/bolt.ts';

export type HealthServer = {
  /** Idempotent. The port is free again when it resolves. */
  readonly stop: () => Promise<void>;
};

/** Whatever is no health route is answered with 503: Slack tries again. */
export function serveHealth(
  routes: readonly Route[],
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
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
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve({ stop }));
  });
}
