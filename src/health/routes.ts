/** Whether the process is alive and ready, for supervisors and for people in Slack. */

import type { CallFigures } from '../fleet/http/calls.ts';
import type { Clock, Instant } from '../lib/clock.ts';
import { VERSION } from '../lib/version.ts';
import type { HttpRoute } from '../slack/receiver/http-receiver.ts';
import type { Store } from '../store/port/store.ts';
import type { HealthReport } from '../views/models/health-model.ts';
import { troublePlainText } from '../views/status/trouble-text.ts';
import { type DetectedTrouble, detectTroubles, type Vitals } from './detect-troubles.ts';

export type HealthOptions = {
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
  const troubles = troublesOf(vitals, now);
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

/** The problems that supervisors and people are shown. */
function troublesOf(vitals: Vitals, now: Instant): readonly DetectedTrouble[] {
  const judged = detectTroubles(vitals, now);
  return judged.kind === 'ok' ? [] : judged.troubles;
}

export type ProcessHealthOptions = {
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
      troubles: troublesOf(found, now).map(({ trouble, since }) => ({ trouble, since })),
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
