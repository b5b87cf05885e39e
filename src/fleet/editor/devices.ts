/** Changing and deleting one device (§4.4, §4.10). */
import type { DeviceId } from '../../lib/ids.ts';
import type { DeviceChange, DeviceField } from '../model/changes.ts';
import type { AppliedChange, EditOutcome, FleetEditor } from '../model/edits.ts';
import type { Device } from '../model/resources.ts';
import { readRawDevice } from '../reads/devices.ts';
import { isDeviceGone } from '../reads/gone.ts';
import { deviceFieldComparisons, devicePut, validateDeviceChange } from './device-fields.ts';
import { type EditContext, PERSON_LANE, readLaneOf, type Update } from './edit-context.ts';
import { replace } from './replace.ts';
import { refusedUnsentEdit, removed, sendWrite } from './send.ts';

const DEVICE = '/servers/{id}';

export function deviceEdits(context: EditContext): Pick<FleetEditor, 'updateDevice' | 'deleteDevice'> {
  return {
    updateDevice(id, change, options) {
      return updateDevice(context, { id, change, options });
    },
    async deleteDevice(id, options) {
      const { calls, reader, organizationId: o } = context;
      const sent = await sendWrite(calls, { method: 'DELETE', path: DEVICE, id, query: { o } }, options);
      return removed(sent, () => isDeviceGone(reader, id, PERSON_LANE));
    },
  };
}

async function updateDevice(
  { calls, reads, organizationId: o, dialect }: EditContext,
  { id, change, options }: Update<DeviceId, DeviceChange>,
): Promise<EditOutcome<AppliedChange<Device, DeviceField>>> {
  const fault = validateDeviceChange(change);
  if (fault !== null) return refusedUnsentEdit({ method: 'PUT', path: DEVICE }, fault);
  return replace(calls, {
    path: DEVICE,
    id,
    read: () => readRawDevice(reads, o, id, readLaneOf(options)),
    put: (before) => devicePut(before, change, { o }, dialect),
    comparisons: () => deviceFieldComparisons(change),
    options,
  });
}
