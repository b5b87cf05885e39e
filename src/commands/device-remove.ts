/** `device-remove`: removes a device from the management service, after approval. */
import { z } from 'zod';
import type { DeviceId } from '../lib/ids.ts';
import { confirmationForm, proposeRemoval, readDeviceToRemove, typedName } from './changes/removal.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { deviceRemoveForm } from './forms/device-remove-form.ts';
import { type DeviceRef, deviceRef, reasonSchema, withDevice } from './targets/resolve-device.ts';
import { parseSingleDevice } from './targets/unknown-devices.ts';

const input = z.object({
  device: deviceRef,
  confirm: typedName.exactOptional(),
  reason: reasonSchema,
});
type Input = z.infer<typeof input>;

const HEAD = { name: 'device-remove', usage: 'device-remove NAME|#ID [because REASON]' };

export const deviceRemoveCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Open the form that requests the removal of a device. It shows what goes with the device and asks for its name. Needs approval.',
  examples: ['device-remove web-01 because it was scrapped'],
  input,
  form: deviceRemoveForm,
  parse: parseSingleDevice,
  plan: async (input, ports) => {
    const { device, reason } = input;
    const again = (id: DeviceRef) => ({ command: HEAD.name, input: { device: id, reason } });
    const result = await withDevice({ device, again }, ports, (id) => planRemoval(id, input, ports));
    return result.kind === 'done' ? result.value : result;
  },
});

async function planRemoval(id: DeviceId, { confirm, reason }: Input, ports: ReadPorts): Promise<Planned> {
  // Reads nothing before the form opens: what opens it expires after three seconds.
  if (confirm === undefined && ports.onlyExplains !== true)
    return confirmationForm(HEAD, { device: id, reason });
  const facts = await readDeviceToRemove(id, ports);
  if (facts === null) return { kind: 'problem', problem: { kind: 'device-gone', query: `#${id}` } };
  return proposeRemoval({ command: { kind: 'device-remove' }, facts, id, confirm, reason });
}
