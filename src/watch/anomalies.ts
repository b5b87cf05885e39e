/** Signs that the event log is not what it seems: rows that cannot be read or are foreign, and ids that began again. */

import type { FleetEvent } from '../fleet/model/resources.ts';
import { type Clock, HOUR, type Instant, later, MINUTE } from '../lib/clock.ts';
import { type EventId, eventId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { EventsSince } from './event-log.ts';

export type EventLogAnomaly =
  | { readonly kind: 'unreadable'; readonly rows: number }
  /** Rows of another organization were ignored. */
  | { readonly kind: 'strays'; readonly rows: number }
  /** At the first start, no id divided old events from new ones, so the service's time does. */
  | { readonly kind: 'first-by-time'; readonly from: Instant }
  /** Events from before the first start were listed later. */
  | { readonly kind: 'history'; readonly rows: number }
  /** Known events were listed with later times. */
  | { readonly kind: 'moved'; readonly rows: number }
  /** The reading ended before it reached known events. */
  | { readonly kind: 'cut-short'; readonly read: number };

export type OnAnomaly = (anomaly: EventLogAnomaly) => void;

const ANOMALY_TEXTS = {
  unreadable: 'some events could not be parsed: no alerts are posted for them',
  strays: 'the event log contains events of another organization: they are ignored',
  'first-by-time':
    'the event log was empty or in no order at the first start: events are posted from this time on, and those from shortly before the start cannot be told from new ones',
  history: 'events from before the first start were listed later: no alerts are posted for them',
  moved: 'known events were listed with later times: no alerts are posted for them again',
  'cut-short': 'the event log did not show all new events: it is read again for the rest',
} as const satisfies Record<EventLogAnomaly['kind'], string>;

export function anomaliesOf(found: EventsSince): readonly EventLogAnomaly[] {
  const { events, unreadable, foreignRows, reachesKnown } = found;
  return [
    ...(unreadable > 0 ? [{ kind: 'unreadable', rows: unreadable } as const] : []),
    ...(foreignRows > 0 ? [{ kind: 'strays', rows: foreignRows } as const] : []),
    ...(!reachesKnown ? [{ kind: 'cut-short', read: events.length } as const] : []),
  ];
}

/** Logs each kind of anomaly at most once an hour. */
export function createAnomalyLog({ clock, log }: { readonly clock: Clock; readonly log: Log }): OnAnomaly {
  const loggedAt = new Map<EventLogAnomaly['kind'], Instant>();
  return ({ kind, ...facts }) => {
    const last = loggedAt.get(kind);
    if (last !== undefined && clock.now() < later(last, HOUR)) return;
    loggedAt.set(kind, clock.now());
    const level = kind === 'cut-short' ? 'error' : 'warn';
    log[level]({ event: `watch.${kind}`, ...facts }, ANOMALY_TEXTS[kind]);
  };
}

/** Whether the service restarted its event ids: new events below our floor would be ignored as old ones, without any error. */
export type IdRestartSign =
  | { readonly kind: 'fine' }
  /** No event with a time was listed, so nothing can be said. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'restarted'; readonly newestId: EventId; readonly floorId: EventId };

export type IdRestart = {
  readonly newestId: EventId;
  readonly floorId: EventId;
  readonly since: Instant;
};

/** The service commits events out of order, so a lower id may be this much newer. */
const REORDERING_MS = 5 * MINUTE;
/** Polls in a row that must agree, because a page that shifts can look like a restart once. */
const CONFIRMING_POLLS = 3;
/** How long a sign counts: a process that no longer reads the log knows nothing about it. */
const SIGN_VALID_MS = 10 * MINUTE;

/** Ids below the floor are old. An event below it that is newer than all events above it has a reused id. */
export function idRestartSign(events: readonly FleetEvent[], floorId: EventId): IdRestartSign {
  const newest = (of: readonly FleetEvent[]): number =>
    of.reduce((latest, { createTime }) => Math.max(latest, createTime ?? 0), 0);
  const below = events.filter(({ id }) => id < floorId);
  const above = events.filter(({ id }) => id >= floorId);
  if (newest(events) === 0) return { kind: 'unknown' };
  const since = newest(above) + REORDERING_MS;
  const again = below.filter(({ createTime }) => createTime !== null && createTime > since);
  if (again.length === 0) return { kind: 'fine' };
  return { kind: 'restarted', newestId: eventId(Math.max(...again.map(({ id }) => id))), floorId };
}

/** Reports a restart once several polls in a row found it. */
export function createIdRestartDetector(clock: Clock) {
  let confirmations = 0;
  let restart: IdRestart | null = null;
  let notedAt = clock.now();
  return {
    note(sign: IdRestartSign): void {
      if (sign.kind === 'unknown') return;
      notedAt = clock.now();
      if (sign.kind === 'fine') {
        confirmations = 0;
        restart = null;
        return;
      }
      confirmations += 1;
      const { newestId, floorId } = sign;
      restart = { newestId, floorId, since: restart?.since ?? clock.now() };
    },
    restart: (): IdRestart | null =>
      confirmations < CONFIRMING_POLLS || clock.now() > later(notedAt, SIGN_VALID_MS) ? null : restart,
  };
}
