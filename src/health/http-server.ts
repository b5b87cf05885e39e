/** The HTTP server of the process: health routes from the start, and Slack's requests once their receiver is ready. */
import { createServer, IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import description from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { CallFigures } from '../fleet/http/calls.ts';
import { type Clock, type Instant, SECOND } from '../lib/clock.ts';
import type { HttpRoute } from '../slack/receiver/http-receiver.ts';
import type { Store } from '../store/port/store.ts';
import type { HealthReport } from '../views/models/health-model.ts';
import { troublePlainText } from '../views/status/trouble-text.ts';
import { detectTroubles, type Vitals } from './detect-troubles.ts';

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

/** Slow clients cannot keep health checks and Slack out. Node's own limit would refuse the newest instead. */
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

type HealthOptions = {
  /** Null: the start has not got this far. */
  readonly vitals: () => Promise<Vitals | null>;
  readonly clock: Clock;
};

/**
 * `/healthz`: the process answers. `/readyz`: Slack is connected, the event log was read lately, the database
 * answers, and nothing waits for a person. Its problems are listed in plain words.
 */
export function createHealthRoutes({ vitals, clock }: HealthOptions): readonly HttpRoute[] {
  return [
    { path: '/healthz', answer: async () => ({ status: 200, body: { alive: true } }) },
    {
      path: '/readyz',
      async answer() {
        const found = await vitals();
        return found === null ? STARTING : readiness(found, clock.now());
      },
    },
  ];
}

const STARTING = {
  status: 503,
  body: {
    slack: false,
    database: false,
    events: { failures: 0, ageMs: null },
    problems: [{ kind: 'starting', text: 'Patchbay is starting.', since: null, red: true }],
  },
} as const;

function readiness(vitals: Vitals, now: Instant) {
  const { slack, database, events } = vitals;
  const troubles = detectTroubles(vitals, now);
  const body = {
    slack: slack.disconnectedSince === null,
    database: database.downSince === null,
    events: { failures: events.failures, ageMs: events.readAt === null ? null : now - events.readAt },
    lastWrite: { slack: isoOrNull(slack.wroteAt), database: isoOrNull(database.wroteAt) },
    problems: troubles.map(({ trouble, since, notReady }) => ({
      kind: trouble.kind,
      text: troublePlainText({ trouble, since }),
      since: isoOrNull(since),
      red: notReady,
    })),
  };
  return { status: troubles.some(({ notReady }) => notReady) ? 503 : 200, body };
}

type ProcessHealthOptions = {
  readonly vitals: () => Promise<Vitals>;
  readonly clock: Clock;
  readonly calls: () => CallFigures;
  readonly store: Pick<Store, 'silences'>;
};

/** The health of the process for people in Slack. Never throws. */
export function createProcessHealth({
  vitals,
  clock,
  calls,
  store,
}: ProcessHealthOptions): () => Promise<HealthReport> {
  return async () => {
    const [found, silenced] = await Promise.all([vitals(), store.silences.open().catch(() => [])]);
    const { slack, database, events, cards } = found;
    const now = clock.now();
    return {
      slack: slack.disconnectedSince === null,
      database: database.downSince === null,
      events: { lastSuccess: events.readAt, failures: events.failures },
      calls: calls(),
      version: VERSION,
      troubles: detectTroubles(found, now).map(({ trouble, since }) => ({ trouble, since })),
      silences: silenced.filter(({ until }) => until > now),
      outbox: cards && outboxOf(cards),
      wroteAt: { slack: slack.wroteAt, database: database.wroteAt },
    };
  };
}

function outboxOf({ undelivered, givenUp }: NonNullable<Vitals['cards']>): HealthReport['outbox'] {
  return {
    waiting: undelivered.reduce((total, { cards }) => total + cards, 0),
    waitingAlerts: undelivered.reduce((total, { alerts }) => total + alerts, 0),
    oldestAt: undelivered[0]?.oldestAt ?? null,
    givenUp: givenUp.length,
  };
}

function isoOrNull(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export const VERSION = description.version;
