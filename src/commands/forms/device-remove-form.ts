/** The form of `device-remove`: a device, what goes with it, and its name to be typed. */

import { readDeviceForRemoval } from '../../fleet/facts/read-removal-facts.ts';
import { removalEffects } from '../../fleet/facts/removal-effects.ts';
import { deviceId } from '../../lib/ids.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { confirmContextOf, confirmField, readConfirmation } from './shared/confirm-field.ts';
import { type DrawnFields, deviceDependentForm, textBlockField } from './shared/device-dependent-form.ts';
import { DEVICE_FIELD } from './shared/device-form.ts';

export const deviceRemoveForm = deviceDependentForm<null>({
  command: 'device-remove',
  title: 'Remove a device',
  submit: 'Request approval',
  reason: 'Approvers see it with the request.',
  parsePrefill: () => null,
  enteredValues: () => null,
  buildFields: drawFields,
  read: (device, values, context) => {
    const read = readConfirmation(values, { id: device, context, field: DEVICE_FIELD });
    return read.kind === 'errors' ? read : { kind: 'input', input: { confirm: read.confirm } };
  },
});

async function drawFields(option: FormOption | null, _given: null, ports: ReadPorts): Promise<DrawnFields> {
  if (option === null) return nothingToConfirm('Choose a device to see what goes with it.');
  const facts = await readDeviceForRemoval(ports.fleet, {
    deviceId: deviceId(Number(option.value)),
    asOf: ports.clock.now(),
    lane: 'person',
    organizationId: ports.organizationId,
    groupName: (group) => ports.inventory.groupName(group, PERSON_PRIORITY),
  });
  if (facts === null) return nothingToConfirm('This device no longer exists. Choose another one.');
  const { deviceId: id, displayName: name, groupName, groupId } = facts;
  const group = groupName ?? (groupId === null ? null : `#${groupId}`);
  const lines = [
    'Removes the device from the management service. This can’t be undone.',
    ...(group === null ? [] : [`Group: ${group}`]),
    ...removalEffects(facts).map(({ label, value }) => `${label}: ${value}`),
    'If its agent still runs, the device registers again under another ID.',
  ];
  return {
    fields: [textBlockField(lines.join('\n')), confirmField('device', { id, name })],
    context: confirmContextOf({ id, name }),
  };
}

function nothingToConfirm(why: string): DrawnFields {
  return { fields: [textBlockField(why)], context: { confirms: null } };
}
