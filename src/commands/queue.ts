/** `queue`: the commands that wait for a device, and those it has answered. */
import { z } from 'zod';
import { defineRead } from './define.ts';
import { queueOf } from './device-pages.ts';
import { deviceForm } from './forms/device-form.ts';
import { deviceRef, parseDevice, viewOfDevice } from './targets/resolve.ts';

const input = z.object({ device: deviceRef });

export const queue = defineRead<z.infer<typeof input>>({
  name: 'queue',
  usage: 'queue NAME|#ID',
  summary: 'Show the command queue of a device.',
  examples: ['queue web-01'],
  input,
  form: deviceForm({ command: 'queue', title: 'Device queue', submit: 'Show' }),
  parse: parseDevice,
  run: ({ device }, _page, ports) =>
    viewOfDevice({ device, again: (id) => ({ command: 'queue', input: { device: id } }) }, ports, (id) =>
      queueOf(id, ports),
    ),
});
