/** Scheduled messages. */
import { type Clock, instant, SECOND, type Timer } from '../../../lib/clock.ts';

export type ScheduledMessage = {
  readonly id: string;
  readonly channel: string;
  /** Seconds since 1970. */
  readonly postAt: number;
  readonly created: number;
  readonly text: string;
};

export type ScheduledMessages = {
  /** Runs `send` when the clock reaches `postAt`, unless it is canceled before. */
  readonly add: (scheduled: ScheduledMessage, send: () => void) => void;
  /** Earliest first. */
  readonly waiting: () => readonly ScheduledMessage[];
  readonly cancel: (id: string) => void;
  readonly reset: () => void;
};

export function createScheduledMessages(clock: Pick<Clock, 'at'>): ScheduledMessages {
  const entries = new Map<string, { readonly scheduled: ScheduledMessage; readonly timer: Timer }>();
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
