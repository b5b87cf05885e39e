import type { CallFigures } from '../../fleet/http/calls.ts';
import type { Instant } from '../../lib/clock.ts';
import type { SilenceRecord } from '../../store/port/alert-records.ts';
import type { Trouble } from '../../store/port/health-records.ts';

export type ActiveTrouble = {
  readonly trouble: Trouble;
  readonly since: Instant;
};

export type HealthReport = {
  /** Whether Slack can reach Patchbay, as far as that is known. */
  readonly slack: boolean;
  readonly database: boolean;
  /** The event log: when any replica last read it, and how often reading has failed here since. */
  readonly events: { readonly lastSuccess: Instant | null; readonly failures: number };
  readonly calls: CallFigures;
  readonly version: string;
  /** Current problems; those that need a person come first. */
  readonly troubles: readonly ActiveTrouble[];
  /** Active ones: their alerts are posted nowhere. */
  readonly silences: readonly SilenceRecord[];
  /** Null: the database did not answer. */
  readonly outbox: {
    readonly waiting: number;
    readonly waitingAlerts: number;
    /** Since when the oldest has been waiting; null where none waits. */
    readonly oldestAt: Instant | null;
    /** Messages of the last day that were given up and are shown nowhere. */
    readonly givenUp: number;
  } | null;
  /** The last successful writes of this process; null where there were none yet. */
  readonly wroteAt: { readonly slack: Instant | null; readonly database: Instant | null };
};
