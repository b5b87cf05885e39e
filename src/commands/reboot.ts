/** `reboot`: restarts a device, after approval. */
import { z } from 'zod';
import { defineWrite } from './define.ts';
import { planSimple } from './plan.ts';
import { type DeviceRef, deviceRef, parseDevice, reasonText } from './resolve.ts';

const input = z.object({ device: deviceRef, reason: reasonText });

export const reboot = defineWrite<z.infer<typeof input>>({
  name: 'reboot',
  usage: 'reboot NAME|#ID [because REASON]',
  summary: 'Ask to restart a device; an approver decides.',
  examples: ['reboot web-01 because kernel update'],
  input,
  parse: (words) => parseDevice(words, { reason: true }),
  plan: ({ device, reason }, ports) => {
    const again = (id: DeviceRef) => ({ command: 'reboot', input: { device: id, reason } });
    return planSimple({ kind: 'reboot' }, { device, again, reason }, ports);
  },
});
