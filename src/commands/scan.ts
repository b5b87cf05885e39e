/** `scan`: asks a device to report its software and state anew. */
import { z } from 'zod';
import { defineWrite } from './define.ts';
import { planSimple } from './plan.ts';
import { type DeviceRef, deviceRef, parseDevice, reasonText } from './resolve.ts';

const input = z.object({ device: deviceRef, reason: reasonText });

export const scan = defineWrite<z.infer<typeof input>>({
  name: 'scan',
  usage: 'scan NAME|#ID [because REASON]',
  summary: 'Have a device report its software and state anew.',
  examples: ['scan web-01'],
  input,
  parse: (words) => parseDevice(words, { reason: true }),
  plan: ({ device, reason }, ports) => {
    const again = (id: DeviceRef) => ({ command: 'scan', input: { device: id, reason } });
    return planSimple({ kind: 'scan' }, { device, again, reason }, ports);
  },
});
