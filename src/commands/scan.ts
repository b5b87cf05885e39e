/** `scan`: asks a device to report its software and state anew. */
import { z } from 'zod';
import { defineWrite } from './define.ts';
import { deviceForm } from './forms/device-form.ts';
import { planSimple } from './plan.ts';
import { parseChanged } from './targets/one-device.ts';
import { type DeviceRef, deviceRef, reasonText } from './targets/resolve.ts';

const input = z.object({ device: deviceRef, reason: reasonText });
const form = deviceForm({
  command: 'scan',
  title: 'Scan a device',
  submit: 'Scan',
  reason: 'Shown on the card.',
});

export const scan = defineWrite<z.infer<typeof input>>({
  name: 'scan',
  usage: 'scan NAME|#ID [because REASON]',
  summary: 'Have a device report its current software and state.',
  examples: ['scan web-01'],
  input,
  form,
  parse: parseChanged,
  plan: ({ device, reason }, ports) => {
    const again = (id: DeviceRef) => ({ command: 'scan', input: { device: id, reason } });
    return planSimple({ kind: 'scan' }, { device, again, reason }, ports);
  },
});
