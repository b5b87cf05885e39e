/** Ids in Slack's formats: counted, so that a run can be repeated, and never reused, not even after a reset. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';

export type Ids = Readonly<ReturnType<typeof createIds>>;

export function createIds(clock: Pick<Clock, 'now'>) {
  let lastMicros = 0;
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  return {
    /** A message timestamp: the clock's seconds with microseconds, unique and increasing. */
    ts() {
      lastMicros = Math.max(clock.now() * 1_000, lastMicros + 1);
      const seconds = Math.floor(lastMicros / 1_000_000);
      return `${seconds}.${String(lastMicros % 1_000_000).padStart(6, '0')}`;
    },
    /** Such as `V00000000A1` for the prefix `V`. */
    next: (prefix: string) => prefix + next().toString(36).toUpperCase().padStart(10, '0'),
    /** Counted, in digits alone. */
    number: () => String(next()),
    /** A counted id in the form of a UUID. */
    uuid: () => `00000000-0000-4000-8000-${next().toString(16).padStart(12, '0')}`,
    /** Unguessable text for tickets and the last part of a response URL. */
    secret: () => randomBytes(18).toString('hex'),
  };
}
