/** Records of devices, edited and removed. */
import { readDeviceForEdit, readDeviceForRemoval } from '../../fleet/facts/read-facts.ts';
import type { DeviceEdit, DeviceRemoval } from '../../fleet/model/actions.ts';
import { isDeviceGone } from '../../fleet/reads/read-helpers.ts';
import { evaluateRemoval } from '../proof/removal-outcome.ts';
import { claimForEdit, editLook, shownUnlessMissing } from './edit-look.ts';
import { type ActionKind, requireDevice } from './kind.ts';

/** Proven by reading the record back. */
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

/** Proven when the service does not know it any more. */
export const deviceRemoveKind: ActionKind<DeviceRemoval> = {
  read: async ({ reader, clock, groupName }, { organizationId, target, lane }) => {
    const deviceId = requireDevice(target);
    const context = { deviceId, asOf: clock.now(), lane, organizationId, groupName };
    const facts = await readDeviceForRemoval(reader, context);
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: async ({ reader, clock }, _action, target) => {
    const gone = await isDeviceGone(reader, requireDevice(target), { lane: 'background' });
    return { next: evaluateRemoval(target, { thing: 'device', gone }, clock.now()), device: null };
  },
};
