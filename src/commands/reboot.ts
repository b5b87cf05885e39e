/** `reboot`: restarts a device, after approval. */
import { z } from 'zod';
import { defineWrite } from './define.ts';
import { deviceForm } from './forms/device-form.ts';
import { planSimple } from './plan.ts';
import { parseChanged } from './targets/one-device.ts';
import { type DeviceRef, deviceRef, reasonText } from './targets/resolve.ts';

const input = z.object({ device: deviceRef, reason: reasonText });
const form = deviceForm({
  command: 'reboot',
  title: 'Reboot a device',
  submit: 'Request approval',
  reason: 'The approver sees it on the card.',
});

export const reboot = defineWrite<z.infer<typeof input>>({
  name: 'reboot',
  usage: 'reboot NAME|#ID [because REASON]',
  summary: 'Request a reboot of a device. Needs approval.',
  examples: ['reboot web-01 because kernel update'],
  input,
  form,
  parse: parseChanged,
  plan: ({ device, reason }, ports) => {
    const again = (id: DeviceRef) => ({ command: 'reboot', input: { device: id, reason } });
    return planSimple({ kind: 'reboot' }, { device, again, reason }, ports);
  },
});
