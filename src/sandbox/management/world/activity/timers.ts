/** All timers of the world, so that a reset or a stop leaves none behind. */
import type { Clock, Instant, Timer } from '../../../../lib/clock.ts';

export type WorldTimers = {
  readonly at: (due: Instant, task: () => void) => Timer;
  readonly cancelAll: () => void;
};

export function createWorldTimers(clock: Clock): WorldTimers {
  const planned = new Set<Timer>();
  return {
    at(due, task) {
      const timer = clock.at(due, () => {
        planned.delete(handle);
        task();
      });
      const handle: Timer = {
        cancel: () => {
          planned.delete(handle);
          timer.cancel();
        },
      };
      planned.add(handle);
      return handle;
    },
    cancelAll() {
      for (const timer of [...planned]) timer.cancel();
    },
  };
}
