/** How Patchbay itself is doing, as facts. */

import type { CallFigures } from '../../fleet/http/calls.ts';
import type { Instant } from '../../lib/clock.ts';
import type { Trouble } from '../../store/port/health-records.ts';

export type ActiveTrouble = {
  readonly trouble: Trouble;
  readonly since: Instant;
};

/** Of messages that should be in Slack. */
export type OutboxFigures = {
  readonly waiting: number;
  readonly waitingAlerts: number;
  /** Since when the oldest of them waits; null: none does. */
  readonly oldestAt: Instant | null;
  /** Of the last day; they stand nowhere. */
  readonly givenUp: number;
};

export type HealthReport = {
  /** Whether Slack can reach us, as far as we know. */
  readonly slack: boolean;
  /** Whether the database answers. */
  readonly database: boolean;
  /** Of the event log: when it was last read by any replica, and how often it failed here since. */
  readonly events: { readonly lastSuccess: Instant | null; readonly failures: number };
  readonly calls: CallFigures;
  readonly version: string;
  /** What is wrong, what needs somebody first. */
  readonly troubles: readonly ActiveTrouble[];
  /** Null: the database did not say. */
  readonly outbox: OutboxFigures | null;
  /** The last writes of this process that succeeded; null: none yet. */
  readonly wroteAt: { readonly slack: Instant | null; readonly database: Instant | null };
};

export type HealthView = {
  /** To one who runs Patchbay, in a direct message. */
  readonly kind: 'trouble';
  /** Null while it lasts. */
  readonly endedAt: Instant | null;
} & ActiveTrouble;
