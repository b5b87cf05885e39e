/** The service's own time, by the `Date` of its answers: its clock may be minutes apart from ours. */
import { type Clock, type Instant, later } from '../../lib/clock.ts';

export type ServiceClock = {
  /** Takes the `Date` of an answer that has just arrived. */
  readonly note: (date: Instant) => void;
  /** The service's time now, exact to about a second; null before its first answer with a `Date`. */
  readonly now: () => Instant | null;
};

export function createServiceClock(clock: Clock): ServiceClock {
  let aheadMs: number | null = null;
  return {
    note(date) {
      aheadMs = date - clock.now();
    },
    now: () => (aheadMs === null ? null : later(clock.now(), aheadMs)),
  };
}
