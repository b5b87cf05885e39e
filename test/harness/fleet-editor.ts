/** An editor of the fleet for tests that need only some of its edits: every other one fails. */
import type { FleetEditor } from '../../src/fleet/fleet.ts';

const refuse = (name: string) => () => Promise.reject(new Error(`${name} was not expected to be called`));

export function aFleetEditor(edits: Partial<FleetEditor> = {}): FleetEditor {
  return {
    checkDevice: refuse('checkDevice'),
    checkGroup: refuse('checkGroup'),
    checkPolicy: refuse('checkPolicy'),
    createGroup: refuse('createGroup'),
    updateGroup: refuse('updateGroup'),
    deleteGroup: refuse('deleteGroup'),
    updateDevice: refuse('updateDevice'),
    tagDevices: refuse('tagDevices'),
    deleteDevice: refuse('deleteDevice'),
    createPolicy: refuse('createPolicy'),
    updatePolicy: refuse('updatePolicy'),
    ...edits,
  };
}
