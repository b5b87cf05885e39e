/** The world and what changes it: commands, requests and, in live mode, spontaneous events. */
import type { Clock } from '../../../../lib/clock.ts';
import type { WorldRequest, WorldResult } from '../../../contracts/services.ts';
import { seedWorld, type World, type WorldSize } from '../world.ts';
import { createDeviceCommands, type DeviceCommands } from './device-commands.ts';
import { createLiveMode } from './live-mode.ts';
import { createWorldTimers, type WorldTimers } from './timers.ts';
import { createWorldActions } from './world-actions.ts';

export type RunningWorld = {
  readonly state: World;
  readonly commands: DeviceCommands;
  readonly timers: WorldTimers;
  readonly perform: (request: WorldRequest) => WorldResult;
  readonly isLive: () => boolean;
  /** Cancels everything that is scheduled. */
  readonly end: () => void;
};

/** A world at its seed. To reset, end it and make another. */
export function createRunningWorld(clock: Clock, size: WorldSize): RunningWorld {
  const timers = createWorldTimers(clock);
  const state = seedWorld(size, clock.now());
  const commands = createDeviceCommands(state, clock, timers);
  const carryOut = createWorldActions(state, clock, commands);
  const life = createLiveMode({ world: state, clock, commands, carryOut }, timers);
  return {
    state,
    commands,
    timers,
    perform(request) {
      const { do: event } = request;
      if (event === 'live') life.start();
      else if (event === 'quiet') life.stop();
      else return carryOut({ ...request, do: event });
      return { ok: true, events: [] };
    },
    isLive: life.isOn,
    end: timers.cancelAll,
  };
}
