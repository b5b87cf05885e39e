/**
 * Whether the service counts its event ids anew: new events then have ids at or below our floor, and would be taken
 * for old ones in silence, for ever.
 */

import type { FleetEvent } from '../fleet/model/resources.ts';
import { type Clock, type Instant, later, MINUTE } from '../lib/clock.ts';
import { type EventId, eventId } from '../lib/ids.ts';

export type IdRestartSign =
  | { readonly kind: 'fine' }
  /** Nothing was listed that would tell. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'restarted'; readonly newestId: EventId; readonly floorId: EventId };

export type IdRestart = {
  readonly newestId: EventId;
  readonly floorId: EventId;
  readonly since: Instant;
};

/** The service commits its events out of order: so much later a lower id means nothing. */
const REORDERING_MS = 5 * MINUTE;
/** A page that shifts may look so once. */
const CONFIRMING_POLLS = 3;
/** Whoever does not read the log any more says nothing about it. */
const SIGN_VALID_MS = 10 * MINUTE;

/** Ids below the floor were given out long ago; one of them that is newer than all above it was given again. */
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

/** Believes it once several looks in a row said so. */
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
