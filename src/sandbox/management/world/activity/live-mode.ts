/** Live mode: while it is on, small events happen to the fleet at random. */
import { later, SECOND, type Timer } from '../../../../lib/clock.ts';
import { createRandom } from '../random.ts';
import type { WorldContext } from './random-events.ts';
import { SPONTANEOUS_EVENTS } from './spontaneous-events.ts';
import type { WorldTimers } from './timers.ts';

export type LiveMode = {
  readonly start: () => void;
  readonly stop: () => void;
  readonly isOn: () => boolean;
};

const MIN_PAUSE_S = 30;
const MAX_PAUSE_S = 120;

export function createLiveMode(surroundings: WorldContext, timers: WorldTimers): LiveMode {
  const { clock } = surroundings;
  const random = createRandom('life');
  let next: Timer | undefined;

  const live = (): void => {
    random.pick(SPONTANEOUS_EVENTS)(surroundings, random);
    plan();
  };
  const plan = (): void => {
    next = timers.at(later(clock.now(), random.int(MIN_PAUSE_S, MAX_PAUSE_S) * SECOND), live);
  };

  return {
    start() {
      if (next === undefined) plan();
    },
    stop() {
      next?.cancel();
      next = undefined;
    },
    isOn: () => next !== undefined,
  };
}
