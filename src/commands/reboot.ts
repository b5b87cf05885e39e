/** `reboot`: restarts a device, after approval. */
import { z } from 'zod';
import { planCommand } from './changes/plan-change.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { deviceForm } from './forms/shared/device-form.ts';
import { type DeviceRef, deviceRef, reasonSchema } from './targets/resolve-device.ts';
import { parseSingleDevice } from './targets/unknown-devices.ts';

const input = z.object({ device: deviceRef, reason: reasonSchema });
const form = deviceForm({
  command: 'reboot',
  title: 'Reboot a device',
  submit: 'Request approval',
  reason: 'Approvers see it with the request.',
});

export const rebootCommand = defineWriteCommand<z.infer<typeof input>>({
  name: 'reboot',
  usage: 'reboot NAME|#ID [because REASON]',
  summary: 'Request a reboot of a device. Needs approval.',
  examples: ['reboot web-01 because kernel update'],
  input,
  form,
  parse: parseSingleDevice,
  plan: ({ device, reason }, ports) => {
    const retryWith = (id: DeviceRef) => ({ command: 'reboot', input: { device: id, reason } });
    return planCommand({ kind: 'reboot' }, { device, retryWith, reason }, ports);
  },
});
