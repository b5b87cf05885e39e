/** `queue`: the commands that wait for a device, and those it has answered. */
import { z } from 'zod';
import { defineReadCommand } from './core/define-command.ts';
import { deviceForm } from './forms/subject-forms.ts';
import { queuePage } from './queries/read-device-pages.ts';
import { deviceRef, parseDevice, viewForDevice } from './targets/resolve-device.ts';

const input = z.object({ device: deviceRef });

export const queueCommand = defineReadCommand<z.infer<typeof input>>({
  name: 'queue',
  usage: 'queue NAME|#ID',
  summary: 'Show the command queue of a device.',
  examples: ['queue web-01'],
  input,
  form: deviceForm({ command: 'queue', title: 'Device queue', submit: 'Show' }),
  parse: parseDevice,
  run: ({ device }, _page, ports) =>
    viewForDevice({ device, again: (id) => ({ command: 'queue', input: { device: id } }) }, ports, (id) =>
      queuePage(id, ports),
    ),
});
