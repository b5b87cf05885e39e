/** Changing and deleting one device (§4.4, §4.10). */
import type { DeviceId } from '../../ids.ts';
import type { Checked, DeviceChange, DeviceField, EditOutcome, FleetEditor } from '../edits.ts';
import type { Device } from '../model.ts';
import { wholeDevice } from '../reads/devices.ts';
import { type Desk, FOR_A_PERSON } from './desk.ts';
import { deviceComparisons, devicePut, faultOfDeviceChange } from './device-fields.ts';
import { replace } from './replace.ts';
import { done, isGone, refusedHere, send } from './send.ts';

const DEVICE = '/servers/{id}';

export function deviceEdits(desk: Desk): Pick<FleetEditor, 'updateDevice' | 'deleteDevice'> {
  return {
    updateDevice(id, change) {
      return updateDevice(desk, id, change);
    },
    async deleteDevice(id) {
      const { calls, reader, organizationId: o } = desk;
      const sent = await send(calls, { method: 'DELETE', path: DEVICE, id, query: { o } });
      if (sent.kind === 'refused' || sent.kind === 'withheld') return sent;
      // A lost answer: a device that is no longer there needs no more asking.
      if (sent.kind === 'unknown' && !(await isGone(reader.device(id, FOR_A_PERSON)))) return sent;
      return done(null);
    },
  };
}

async function updateDevice(
  { calls, reads, organizationId: o, dialect }: Desk,
  id: DeviceId,
  change: DeviceChange,
): Promise<EditOutcome<Checked<Device, DeviceField>>> {
  const fault = faultOfDeviceChange(change);
  if (fault !== null) return refusedHere({ method: 'PUT', path: DEVICE }, fault);
  return replace(calls, {
    path: DEVICE,
    id,
    read: () => wholeDevice(reads, o, id, FOR_A_PERSON),
    put: (before) => devicePut(before, change, { o }, dialect),
    comparisons: () => deviceComparisons(change),
  });
}
