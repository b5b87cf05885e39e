/** An edit of a device's record: proven by reading the record back. */

import { readDeviceForEdit } from '../../fleet/facts/read-facts.ts';
import type { DeviceEdit } from '../../fleet/model/actions.ts';
import { claimForEdit, editLook, shownUnlessMissing } from './edit-look.ts';
import { type ActionKind, requireDevice } from './kind.ts';

export const deviceEditKind: ActionKind<DeviceEdit> = {
  read: async ({ reader, clock, groupName }, { action, organizationId, target, lane, listed }) => {
    const deviceId = requireDevice(target);
    const known = listed === undefined ? {} : { read: listed.device };
    const context = { organizationId, asOf: clock.now(), lane, deviceId, groupName, ...known };
    const facts = await readDeviceForEdit(reader, action, context);
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: editLook(async ({ editor }, { change }, target) => {
    const deviceId = requireDevice(target);
    return shownUnlessMissing(() => editor.checkDevice(deviceId, change));
  }),
};

/** Whether the edit changes nothing but tags, so that the service takes it for many devices in one call. */
export function isTagsOnly({ change }: DeviceEdit): boolean {
  const { retag, ...others } = change;
  return retag !== undefined && Object.keys(others).length === 0;
}
