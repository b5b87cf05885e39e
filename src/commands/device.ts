/** `device`: one device with what matters about it, read fresh. */
import { z } from 'zod';
import { defineRead } from './define.ts';
import { deviceRef, PERSON, parseDevice, viewOfDevice } from './resolve.ts';

const input = z.object({ device: deviceRef });

export const device = defineRead<z.infer<typeof input>>({
  name: 'device',
  usage: 'device NAME|#ID',
  summary: 'Show one device, with buttons for what can be done about it.',
  examples: ['device web-01', 'device #1042'],
  input,
  parse: parseDevice,
  run: ({ device }, _page, ports) =>
    viewOfDevice(
      { device, again: (id) => ({ command: 'device', input: { device: id } }) },
      ports,
      async (id) => {
        const fresh = await ports.fleet.device(id, PERSON);
        ports.inventory.learn(fresh);
        const groupName = await ports.inventory.groupName(fresh.groupId, PERSON);
        return { kind: 'device', device: fresh, groupName };
      },
    ),
});
