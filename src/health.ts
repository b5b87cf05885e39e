/** Whether the process lives and is able to do its work, for supervisors. */
import { createServer } from 'node:http';
import { type Clock, MINUTE } from './clock.ts';
import type { Health } from './commands/command.ts';
import type { Config } from './config.ts';
import type { CallFigures } from './fleet/calls.ts';
import type { Connection, Route } from './slack/bolt.ts';
import type { Store } from './store/store.ts';
import { VERSION } from './version.ts';
import type { Watch } from './watch/loop.ts';

/** Longer than this without having read the event log, and alerts are late enough for somebody to look. */
const STALE_MS = 5 * MINUTE;

export type HealthOptions = {
  readonly store: Pick<Store, 'ping'>;
  readonly watch: Pick<Watch, 'health'>;
  readonly connected: Connection['connected'];
  readonly clock: Clock;
};

/**
 * `/healthz`: the process answers. `/readyz`: Slack is connected, the event log was read lately, the database
 * answers.
 */
export function healthRoutes({ store, watch, connected, clock }: HealthOptions): readonly Route[] {
  return [
    { path: '/healthz', answer: async () => ({ status: 200, body: { alive: true } }) },
    {
      path: '/readyz',
      async answer() {
        const { lastSuccess, failures } = watch.health();
        const database = await answers(store);
        const ageMs = lastSuccess === null ? null : clock.now() - lastSuccess;
        const read = ageMs !== null && ageMs <= STALE_MS;
        const body = { slack: connected(), database, events: { failures, ageMs } };
        return { status: body.slack && database && read ? 200 : 503, body };
      },
    },
  ];
}

export type ProcessHealthOptions = Omit<HealthOptions, 'clock'> & {
  readonly calls: () => CallFigures;
};

/** The same for people who ask in Slack. Never throws. */
export function createHealth({
  store,
  watch,
  connected,
  calls,
}: ProcessHealthOptions): () => Promise<Health> {
  return async () => ({
    slack: connected(),
    database: await answers(store),
    events: watch.health(),
    calls: calls(),
    version: VERSION,
  });
}

function answers(store: HealthOptions['store']): Promise<boolean> {
  return store.ping().then(
    () => true,
    () => false,
  );
}

export type HealthServer = { readonly stop: () => Promise<void> };

/** Serves the routes where Slack's own receiver does not: with Socket Mode. */
export function serveHealth(
  routes: readonly Route[],
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const route = routes.find(({ path }) => path === request.url);
    if (route === undefined || request.method !== 'GET') {
      response.writeHead(404).end();
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
