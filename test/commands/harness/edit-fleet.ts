/** A fleet with devices and groups to edit. */
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPolicy } from '../../harness/builders.ts';
import type { FakeFleetContent } from './fake-fleet.ts';
import { testPorts } from './ports.ts';

export const EDIT_FLEET: FakeFleetContent = {
  devices: [aDevice({ tags: ['old'], customName: null, exception: false, addresses: ['192.0.2.1'] })],
  groups: [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup(),
    aGroup({
      id: groupId(21),
      name: 'Web',
      parentId: groupId(20),
      color: '#D78500',
      notes: 'x',
      policyIds: [policyId(11), policyId(12)],
    }),
    aGroup({ id: groupId(30), name: 'Twin' }),
    aGroup({ id: groupId(31), name: 'Twin', parentId: groupId(20) }),
  ],
  policies: [
    aPolicy(),
    aPolicy({ id: policyId(11), name: 'Kiosk mode' }),
    aPolicy({ id: policyId(13), name: 'VPN' }),
    aPolicy({ id: policyId(14), name: 'Twins' }),
    aPolicy({ id: policyId(15), name: 'Twins' }),
  ],
};

export const editFleetPorts = (more: FakeFleetContent = {}) => testPorts({ ...EDIT_FLEET, ...more }).ports;
