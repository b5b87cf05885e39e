/** A small fleet for lists. */
import { devicesCommand } from '../../../src/commands/devices.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/model.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { testPorts } from './ports.ts';
import { inputOf } from './typed-line.ts';

export const groups = [
  aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
  aGroup({ id: groupId(20), name: 'Linux servers', parentId: groupId(1) }),
  aGroup({ id: groupId(21), name: 'Web', parentId: groupId(20) }),
  aGroup({ id: groupId(22), name: 'Front', parentId: groupId(21) }),
  aGroup({ id: groupId(30), name: 'Windows', parentId: groupId(1) }),
];

export const fleet = [
  aDevice({ id: deviceId(1), name: 'web-01', groupId: groupId(22), tags: ['Web'] }),
  aDevice({
    id: deviceId(2),
    name: 'web-10',
    tags: [],
    groupId: groupId(21),
    connected: false,
    needsReboot: false,
    patches: 0,
  }),
  aDevice({
    id: deviceId(3),
    name: 'web-02',
    tags: [],
    groupId: groupId(20),
    connected: null,
    needsReboot: null,
  }),
  aDevice({
    id: deviceId(4),
    name: 'WIN-1',
    customName: 'Front desk',
    groupId: groupId(30),
    osFamily: 'Windows',
    osName: '11 Pro',
    osVersion: '23H2',
    tags: ['critical', 'two words'],
    compliant: true,
    pending: false,
    pendingPatches: 0,
    exception: true,
    needsAttention: true,
  }),
  aDevice({ id: deviceId(77), name: 'lost', groupId: groupId(1), tags: [] }),
];

export async function runList(text: string, page = 0): Promise<View> {
  return devicesCommand.run(inputOf(devicesCommand, text), page, testPorts({ devices: fleet, groups }).ports);
}
