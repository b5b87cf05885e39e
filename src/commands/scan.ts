/** `scan`: asks a device to report its software and state anew. */
import { z } from 'zod';
import { planCommand } from './changes/plan-change.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { deviceForm } from './forms/shared/device-form.ts';
import { type DeviceRef, deviceRef, reasonSchema } from './targets/resolve-device.ts';
import { parseSingleDevice } from './targets/unknown-devices.ts';

const input = z.object({ device: deviceRef, reason: reasonSchema });
const form = deviceForm({
  command: 'scan',
  title: 'Scan a device',
  submit: 'Scan',
  reason: 'Shown with the request.',
});

export const scanCommand = defineWriteCommand<z.infer<typeof input>>({
  name: 'scan',
  usage: 'scan NAME|#ID [because REASON]',
  summary: 'Have a device report its current software and state.',
  examples: ['scan web-01'],
  input,
  form,
  parse: parseSingleDevice,
  plan: ({ device, reason }, ports) => {
    const retryWith = (id: DeviceRef) => ({ command: 'scan', input: { device: id, reason } });
    return planCommand({ kind: 'scan' }, { device, retryWith, reason }, ports);
  },
});
