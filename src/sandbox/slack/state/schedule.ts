/** Messages that wait for their time. */
import { type Clock, instant, SECOND, type Timer } from '../../../clock.ts';

export type Scheduled = {
  readonly id: string;
  readonly channel: string;
  /** Seconds since 1970. */
  readonly postAt: number;
  readonly created: number;
  readonly text: string;
};

export type Schedule = {
  /** Runs `send` when the clock has reached `postAt`, unless it is cancelled before. */
  readonly add: (scheduled: Scheduled, send: () => void) => void;
  /** The earliest first. */
  readonly waiting: () => readonly Scheduled[];
  readonly cancel: (id: string) => void;
  readonly reset: () => void;
};

export function createSchedule(clock: Pick<Clock, 'at'>): Schedule {
  const entries = new Map<string, { readonly scheduled: Scheduled; readonly timer: Timer }>();
  const cancel = (id: string) => {
    entries.get(id)?.timer.cancel();
    entries.delete(id);
  };
  return {
    add(scheduled, send) {
      const timer = clock.at(instant(scheduled.postAt * SECOND), () => {
        entries.delete(scheduled.id);
        send();
      });
      entries.set(scheduled.id, { scheduled, timer });
    },
    waiting: () =>
      [...entries.values()]
        .map(({ scheduled }) => scheduled)
        .toSorted((one, other) => one.postAt - other.postAt),
    cancel,
    reset() {
      for (const id of [...entries.keys()]) cancel(id);
    },
  };
}
