/** The form of `device-remove`: a device, what goes with it, and its name to be typed. */
import { removalEffects } from '../../fleet/facts/edit-changes.ts';
import { deviceId } from '../../lib/ids.ts';
import { quoteStructure } from '../../lib/text.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import { readDeviceToRemove } from '../changes/removal.ts';
import type { ReadPorts } from '../core/command.ts';
import { confirmFields, nothingToConfirm, readConfirmation } from './shared/confirm-field.ts';
import { type DrawnFields, dependentForm } from './shared/dependent-form.ts';
import { DEVICE_FIELD, DEVICE_SUBJECT } from './shared/device-form.ts';

export const deviceRemoveForm = dependentForm<null>(DEVICE_SUBJECT, {
  command: 'device-remove',
  title: 'Remove a device',
  submit: 'Request approval',
  reason: 'Approvers see it with the request.',
  parsePrefill: () => null,
  buildFields: drawFields,
  read: (device, values, context) => readConfirmation(values, { id: device, context, field: DEVICE_FIELD }),
});

async function drawFields(option: FormOption | null, _given: null, ports: ReadPorts): Promise<DrawnFields> {
  if (option === null) return nothingToConfirm('Choose a device to see what goes with it.');
  const facts = await readDeviceToRemove(deviceId(Number(option.value)), ports);
  if (facts === null) return nothingToConfirm('This device no longer exists. Choose another one.');
  const { deviceId: id, displayName: name, groupName, groupId } = facts;
  const group = groupName ?? (groupId === null ? null : `#${groupId}`);
  return confirmFields('device', { id, name }, [
    'Removes the device from the management service. This can’t be undone.',
    ...(group === null ? [] : [`Group: ${quoteStructure(group)}`]),
    ...removalEffects(facts).map(({ label, value }) => `${label}: ${quoteStructure(value)}`),
    'If its agent still runs, the device registers again under another ID.',
  ]);
}
