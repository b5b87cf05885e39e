/** The registry of all commands: the one place where a new command is added. */
import { device } from './device.ts';
import { devices } from './devices.ts';
import { events } from './events.ts';
import { createHelp } from './help.ts';
import { packages } from './packages.ts';
import { patch } from './patch.ts';
import { queue } from './queue.ts';
import { reboot } from './reboot.ts';
import { createRegistry, type Registry } from './registry.ts';
import { scan } from './scan.ts';

export const registry: Registry = createRegistry([
  device,
  devices,
  packages,
  queue,
  events,
  scan,
  patch,
  reboot,
  createHelp(() => registry),
]);
