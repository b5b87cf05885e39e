/**
 * Detects that the service restarted its event ids. New events would then have ids below our floor and be ignored as old
 * ones, without any error.
 */

import type { FleetEvent } from '../fleet/model/resources.ts';
import { type Clock, type Instant, later, MINUTE } from '../lib/clock.ts';
import { type EventId, eventId } from '../lib/ids.ts';

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
