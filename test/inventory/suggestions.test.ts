import { describe, expect, it } from 'vitest';
import type { SuggestionKind } from '../../src/inventory/inventory.ts';
import { createInventory } from '../../src/inventory/inventory-service.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { deviceId, groupId, policyId } from '../../src/lib/ids.ts';
import { createFakeFleet } from '../commands/harness/fake-fleet.ts';
import { aDevice, aGroup, anEvent, aPolicy, START } from '../harness/builders.ts';
import { nothingSaved } from '../harness/nothing-saved.ts';

async function anInventory() {
  const fleet = createFakeFleet({
    devices: [
      aDevice({ id: deviceId(1), name: 'web-01' }),
      aDevice({ id: deviceId(2), name: 'web-02', customName: 'Front desk' }),
      aDevice({ id: deviceId(3), name: 'dup-01', groupId: groupId(20) }),
      aDevice({ id: deviceId(4), name: 'dup-01', groupId: null }),
    ],
    groups: [
      aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
      aGroup({ id: groupId(20), name: 'Linux servers', parentId: groupId(1) }),
      aGroup({ id: groupId(21), name: 'Web', parentId: groupId(20) }),
    ],
    policies: [aPolicy({ id: policyId(5), name: 'Patch everything', type: 'patch' })],
  });
  const inventory = createInventory({ fleet, clock: createManualClock(START), store: nothingSaved });
  await inventory.snapshot();
  inventory.learnPackages(['openssl', 'libssl3', 'zlib']);
  inventory.noteEvents([anEvent({ patches: [{ name: 'KB5034441', version: null, displayName: null }] })]);
  fleet.reads.length = 0;
  return { fleet, inventory };
}

describe('suggestions', () => {
  it.each<readonly [SuggestionKind, string, readonly (readonly [string, number | null])[]]>([
    [
      'device',
      'web-0',
      [
        ['Front desk', 2],
        ['web-01', 1],
      ],
    ],
    [
      'device',
      'dup',
      [
        ['dup-01', 3],
        ['dup-01', 4],
      ],
    ],
    ['device', 'desk', [['Front desk', 2]]],
    [
      'group',
      '',
      [
        ['Default group', 1],
        ['Linux servers', 20],
        ['Web', 21],
      ],
    ],
    ['group', 'servres', [['Linux servers', 20]]],
    ['group', 'default', [['Default group', 1]]],
    ['policy', 'every', [['Patch everything', 5]]],
    [
      'package',
      'ssl',
      [
        ['openssl', null],
        ['libssl3', null],
      ],
    ],
    ['package', 'kb50', [['KB5034441', null]]],
    ['package', 'nothing', []],
  ])('of a %s for “%s”', async (kind, query, expected) => {
    const { fleet, inventory } = await anInventory();
    const found = inventory.suggest(kind, query, 10);
    expect(found.map(({ label, id }) => [label, id])).toEqual(expected);
    expect(fleet.reads).toEqual([]);
  });

  it('are at most as many as wanted', async () => {
    const { inventory } = await anInventory();
    expect(inventory.suggest('device', '', 2)).toHaveLength(2);
  });

  it('tell devices with the same name apart, by number and group', async () => {
    const { inventory } = await anInventory();
    const details = inventory.suggest('device', 'dup', 5).map(({ detail }) => detail);
    expect(details).toEqual([['#3', 'Linux servers'], ['#4']]);
  });

  it('show the groups above a group', async () => {
    const { inventory } = await anInventory();
    expect(inventory.suggest('group', 'web', 5)).toEqual([{ id: 21, label: 'Web', detail: 'Linux servers' }]);
    expect(inventory.suggest('group', 'linux', 5)).toMatchObject([{ label: 'Linux servers', detail: null }]);
  });

  it('forget the least recently seen packages', async () => {
    const { inventory } = await anInventory();
    inventory.learnPackages(Array.from({ length: 4_999 }, (_, at) => `package-${at}`));
    inventory.learnPackages(['package-0']);
    inventory.learnPackages(['last']);
    expect(inventory.suggest('package', 'openssl', 5)).toEqual([]);
    expect(inventory.suggest('package', 'package-1234', 1)).toHaveLength(1);
  });
});
