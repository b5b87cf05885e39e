/** The world together with what moves it: commands, orders and, when asked for, a life of its own. */
import type { Clock } from '../../../clock.ts';
import type { WorldOrder, WorldResult } from '../../contracts.ts';
import { type Commands, createCommands } from './commands.ts';
import { createLife } from './life.ts';
import { createOrders } from './orders.ts';
import { createTimers, type Timers } from './timers.ts';
import { type Size, seedWorld, type World } from './world.ts';

export type MovingWorld = {
  readonly state: World;
  readonly commands: Commands;
  readonly timers: Timers;
  readonly order: (order: WorldOrder) => WorldResult;
  readonly living: () => boolean;
  /** Cancels everything that is planned. */
  readonly end: () => void;
};

/** A world at its seed. To reset it, end it and make another. */
export function createMovingWorld(clock: Clock, size: Size): MovingWorld {
  const timers = createTimers(clock);
  const state = seedWorld(size, clock.now());
  const commands = createCommands(state, clock, timers);
  const carryOut = createOrders(state, clock, commands);
  const life = createLife({ world: state, clock, commands, carryOut }, timers);
  return {
    state,
    commands,
    timers,
    order(order) {
      const { do: deed } = order;
      if (deed === 'live') life.start();
      else if (deed === 'quiet') life.stop();
      else return carryOut({ ...order, do: deed });
      return { ok: true, events: [] };
    },
    living: life.isOn,
    end: timers.cancelAll,
  };
}
