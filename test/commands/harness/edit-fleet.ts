/** A fleet with devices and groups to edit. */
import { groupId } from '../../../src/lib/ids.ts';
import { aDevice, aGroup, aPolicy } from '../../harness/builders.ts';
import type { FakeFleetContent } from './fake-fleet.ts';
import { testPorts } from './ports.ts';

const content: FakeFleetContent = {
  devices: [aDevice({ tags: ['old'], customName: null, exception: false, addresses: ['192.0.2.1'] })],
  groups: [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup(),
    aGroup({ id: groupId(21), name: 'Web', parentId: groupId(20), color: '#D78500', notes: 'x' }),
    aGroup({ id: groupId(30), name: 'Twin' }),
    aGroup({ id: groupId(31), name: 'Twin', parentId: groupId(20) }),
  ],
  policies: [aPolicy()],
};

export const editFleetPorts = (more: FakeFleetContent = {}) => testPorts({ ...content, ...more }).ports;
