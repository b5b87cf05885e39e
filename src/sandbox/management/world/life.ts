/** Spontaneous life: while it is on, something small happens to the fleet now and then. */
import { type Clock, later, SECOND, type Timer } from '../../../clock.ts';
import { CONSOLE_USERS } from '../seed/organization.ts';
import type { DeedOrder } from './orders.ts';
import { createRandom, type Random } from './random.ts';
import type { Timers } from './timers.ts';
import type { World } from './world.ts';

export type Life = {
  readonly start: () => void;
  readonly stop: () => void;
  readonly isOn: () => boolean;
};

const SHORTEST_PAUSE_S = 30;
const LONGEST_PAUSE_S = 120;

/** How often each thing happens, out of all of these. */
const HAPPENINGS = [
  'patch-fails',
  'patch-fails',
  'patch-applies',
  'patch-applies',
  'login',
  'login',
  'device-offline',
  'device-online',
] as const;

export function createLife(
  world: World,
  clock: Clock,
  timers: Timers,
  carryOut: (order: DeedOrder) => unknown,
): Life {
  const random = createRandom('life');
  let next: Timer | undefined;

  const happen = (): void => {
    const what = random.pick(HAPPENINGS);
    if (what === 'login') logIn(world, clock, random);
    else carryOut({ do: what });
    plan();
  };
  const plan = (): void => {
    next = timers.at(later(clock.now(), random.int(SHORTEST_PAUSE_S, LONGEST_PAUSE_S) * SECOND), happen);
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

function logIn(world: World, clock: Clock, random: Random): void {
  const { id } = random.pick(CONSOLE_USERS);
  world.events.append({ name: 'user.login', at: clock.now(), userId: id, data: null });
}
