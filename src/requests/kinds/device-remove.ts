/** A removal of a device: proven when the service does not know it any more. */

import { readDeviceForRemoval } from '../../fleet/facts/read-facts.ts';
import type { DeviceRemoval } from '../../fleet/model/actions.ts';
import { isDeviceGone } from '../../fleet/reads/gone.ts';
import { evaluateRemoval } from '../proof/removal-outcome.ts';
import { claimForEdit } from './edit-look.ts';
import { type ActionKind, requireDevice } from './kind.ts';

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
