/** Spontaneous life: while it is on, something small happens to the fleet now and then. */
import { later, SECOND, type Timer } from '../../../clock.ts';
import type { Surroundings } from './chance-deeds.ts';
import { HAPPENINGS } from './happenings.ts';
import { createRandom } from './random.ts';
import type { Timers } from './timers.ts';

export type Life = {
  readonly start: () => void;
  readonly stop: () => void;
  readonly isOn: () => boolean;
};

const SHORTEST_PAUSE_S = 30;
const LONGEST_PAUSE_S = 120;

export function createLife(surroundings: Surroundings, timers: Timers): Life {
  const { clock } = surroundings;
  const random = createRandom('life');
  let next: Timer | undefined;

  const live = (): void => {
    random.pick(HAPPENINGS)(surroundings, random);
    plan();
  };
  const plan = (): void => {
    next = timers.at(later(clock.now(), random.int(SHORTEST_PAUSE_S, LONGEST_PAUSE_S) * SECOND), live);
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
