/** What was not sent is asked for once more by the command that asked for it first. */
import { describe, expect, it } from 'vitest';
import { choiceOf } from '../../src/commands/again.ts';
import { registry } from '../../src/commands/index.ts';
import type { FleetOrder } from '../../src/fleet/orders.ts';
import { groupId, policyId } from '../../src/ids.ts';
import { aPackage } from '../harness/builders.ts';
import { anOperation, aTarget } from '../harness/records.ts';
import { ports } from './edit-fleet.ts';

const ORDERS: readonly FleetOrder[] = [
  { kind: 'scan' },
  { kind: 'reboot' },
  { kind: 'patch-all' },
  { kind: 'patch', packages: ['openssl'] },
  { kind: 'patch', packages: ['openssl'], chosen: { severities: ['high'], named: [] } },
  { kind: 'device-edit', change: { customName: 'Front door' } },
  {
    kind: 'device-edit',
    change: {
      customName: 'x',
      groupId: groupId(21),
      retag: { add: ['dmz'], remove: ['old'] },
      exception: true,
      addresses: ['192.0.2.9'],
    },
  },
  {
    kind: 'group-create',
    group: {
      name: 'Kiosks',
      parentId: groupId(20),
      refreshIntervalMinutes: 720,
      color: 'pine green',
      notes: 'by the door',
      osAutoUpdate: true,
    },
  },
  {
    kind: 'group-edit',
    groupId: groupId(21),
    change: { name: 'Front', parentId: groupId(30), refreshIntervalMinutes: 720, notes: '' },
  },
];

const operationOf = (command: FleetOrder, reason: string | null) => {
  const deviceId = command.kind.startsWith('group-') ? null : aTarget().deviceId;
  return anOperation({ command, reason, targets: [aTarget({ deviceId, state: 'not_sent' })] });
};

describe('asking once more', () => {
  it.each(ORDERS.map((order, at) => ({ order, name: `${at}: ${order.kind}` })))(
    'plans the same order for the same thing, with its reason: $name',
    async ({ order }) => {
      const { command: name, input } = choiceOf(operationOf(order, 'drill'));
      const command = registry.find(name);
      if (command?.kind !== 'write') throw new Error(`${name} changes nothing`);
      // As it comes back from a store.
      const stored: unknown = JSON.parse(JSON.stringify(input));
      const planned = await command.plan(stored, ports({ packages: [aPackage()] }));
      expect(planned).toMatchObject({ kind: 'proposal', proposal: { command: order, reason: 'drill' } });
    },
  );

  it.each(['policy-test', 'policy-remediate'] as const)('names the policy of a %s by its number', (kind) => {
    expect(choiceOf(operationOf({ kind, policyId: policyId(5), policyName: 'Old name' }, null))).toEqual({
      command: kind,
      input: { device: 1001, policy: 5, reason: null },
    });
  });
});
