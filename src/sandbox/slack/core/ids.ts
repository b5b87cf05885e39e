/** Ids in Slack's formats: counted, so that a run can be repeated, and never reused, not even after a reset. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';

export type Ids = {
  /** A message timestamp: the clock's seconds with microseconds, unique and increasing. */
  readonly ts: () => string;
  /** Such as `V00000000A1` for the prefix `V`. */
  readonly next: (prefix: string) => string;
  /** Counted, in digits alone. */
  readonly number: () => string;
  /** A counted id in the form of a UUID. */
  readonly uuid: () => string;
  /** Unguessable text for tickets and the last part of a response URL. */
  readonly secret: () => string;
};

export function createIds(clock: Pick<Clock, 'now'>): Ids {
  let lastMicros = 0;
  let count = 0;
  return {
    ts() {
      lastMicros = Math.max(clock.now() * 1_000, lastMicros + 1);
      const seconds = Math.floor(lastMicros / 1_000_000);
      return `${seconds}.${String(lastMicros % 1_000_000).padStart(6, '0')}`;
    },
    next(prefix) {
      count += 1;
      return prefix + count.toString(36).toUpperCase().padStart(10, '0');
    },
    number() {
      count += 1;
      return String(count);
    },
    uuid() {
      count += 1;
      return `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
    },
    secret: () => randomBytes(18).toString('hex'),
  };
}
