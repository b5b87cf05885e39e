/** Vital signs in which nothing is wrong, and what a test changes of them. */

import type { Vitals } from '../../src/health/detect-troubles.ts';
import { type Instant, instant } from '../../src/lib/clock.ts';

export const NOW = instant(1_790_000_000_000);

type Given = {
  readonly slack?: Partial<Vitals['slack']>;
  readonly database?: Partial<Vitals['database']>;
  readonly service?: Partial<Vitals['service']>;
  readonly configuration?: Partial<Vitals['configuration']>;
  readonly events?: Partial<Vitals['events']>;
  readonly cards?: Partial<NonNullable<Vitals['cards']>>;
};

export function vitals(given: Given = {}, at: Instant = NOW): Vitals {
  const { slack, database, service, configuration, events, cards } = given;
  return {
    startedAt: instant(at - 3_600_000),
    slack: {
      disconnectedSince: null,
      silentSince: null,
      refusal: null,
      wellSince: instant(at - 3_600_000),
      wroteAt: at,
      counted: null,
      refusing: new Map(),
      ...slack,
    },
    database: { downSince: null, unwritable: null, wroteAt: at, ...database },
    service: { failing: null, doubts: [], isEmpty: false, ...service },
    configuration: { refused: null, differsSince: null, ...configuration },
    events: { readAt: at, failures: 0, gap: null, restarted: null, ...events },
    cards: { undelivered: [], givenUp: [], ...cards },
  };
}
