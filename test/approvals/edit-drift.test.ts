import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDrift } from '../../src/approvals/edit-drift.ts';
import { fingerprint, seal } from '../../src/approvals/seal.ts';
import type { FleetEdit } from '../../src/fleet/model/actions.ts';
import { later } from '../../src/lib/clock.ts';
import { groupId, policyId } from '../../src/lib/ids.ts';
import type { DeviceFacts, GroupFacts } from '../../src/store/port/records.ts';
import { aDeviceToEdit, aGroupToEdit, NOW } from './builders.ts';

const move: FleetEdit = { kind: 'device-edit', change: { groupId: groupId(10) } };
const tag: FleetEdit = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: ['old'] } } };
const change: FleetEdit = {
  kind: 'group-edit',
  groupId: groupId(5),
  change: { parentId: groupId(8), refreshIntervalMinutes: 360, policyIds: [policyId(3)] },
};
const device = (
  is: Partial<DeviceFacts> = {},
  editable: Partial<NonNullable<DeviceFacts['editable']>> = {},
) => aDeviceToEdit(is, editable);
const group = (is: Partial<GroupFacts> = {}, state: Partial<NonNullable<GroupFacts['group']>> = {}) =>
  aGroupToEdit(is, state);

describe('what changed about a device or group to edit', () => {
  it.each<
    readonly [
      string,
      FleetEdit,
      DeviceFacts | GroupFacts,
      DeviceFacts | GroupFacts | 'gone',
      readonly string[],
    ]
  >([
    ['nothing', move, device(), device(), []],
    [
      'only what does not matter to its record',
      move,
      device(),
      device({ connected: false, lastLoggedInUser: 'dave', needsReboot: false, asOf: later(NOW, 9) }),
      [],
    ],
    ['a field that is not asked for', move, device(), device({}, { tags: ['new'], exception: true }), []],
    [
      'a policy that the group is to get runs something else',
      change,
      group({ policies: [{ id: policyId(3), name: 'Patch all', digest: 'a' }] }),
      group({ policies: [{ id: policyId(3), name: 'Patch all', digest: 'b' }] }),
      ['the configuration or schedule of Patch all (policy 3) changed'],
    ],
    [
      'a policy that the group is to get is not shown any more',
      change,
      group({ policies: [{ id: policyId(3), name: 'Patch all', digest: 'a' }] }),
      group({ policies: [{ id: policyId(3), name: 'Patch all', digest: null }] }),
      ['the management service no longer shows the configuration of Patch all (policy 3)'],
    ],
    ['a policy that was asked for before there were digests', change, group(), group(), []],
    ['it is gone', move, device(), 'gone', ['web-01 no longer exists in the management service']],
    [
      'it has another hostname',
      tag,
      device(),
      device({ hostname: 'db-01' }),
      ['the hostname of web-01 is now “db-01” (was “web-01”)'],
    ],
    [
      'it is called otherwise',
      tag,
      device(),
      device({ displayName: 'shop' }),
      ['web-01 is now named “shop”'],
    ],
    [
      'it moved',
      move,
      device(),
      device({ groupId: groupId(11), groupName: 'Kiosks' }),
      ['group of web-01 changed from “Servers (#9)” to “Kiosks (#11)”'],
    ],
    [
      'where it is to go has another name',
      move,
      device(),
      device({}, { intoGroup: 'Attic' }),
      ['requested group of web-01 changed from “Laptops (#10)” to “Attic (#10)”'],
    ],
    [
      'where it is to go is gone',
      move,
      device(),
      device({}, { intoGroup: null }),
      ['requested group of web-01 changed from “Laptops (#10)” to “#10 (name unknown)”'],
    ],
    [
      'its tags changed',
      tag,
      device(),
      device({}, { tags: ['old', 'new'] }),
      ['tags of web-01 changed from “old” to “new, old”'],
    ],
    ['nothing about a group', change, group(), group(), []],
    [
      'a field of the group that is not asked for',
      change,
      group(),
      group({}, { notes: 'x', deviceCount: 9 }),
      [],
    ],
    [
      'a field of the group',
      change,
      group(),
      group({}, { refreshIntervalMinutes: 720 }),
      ['scan interval of Kiosks changed from “24 hours” to “12 hours”'],
    ],
    [
      'the wanted parent has another name',
      change,
      group(),
      group({ parentName: 'Attic' }),
      ['requested parent group of Kiosks changed from “Servers (#8)” to “Attic (#8)”'],
    ],
    [
      'a wanted policy is gone',
      change,
      group(),
      group({ policies: [{ id: policyId(3), name: null }] }),
      ['requested policies of Kiosks changed from “Patch all (#3)” to “#3 (name unknown)”'],
    ],
    [
      'the group is called otherwise',
      change,
      group(),
      group({ displayName: 'Booths' }),
      ['Kiosks is now named “Booths”'],
    ],
    ['the group is gone', change, group(), 'gone', ['Kiosks no longer exists in the management service']],
  ])('%s', (_what, edit, before, after, expected) => {
    expect(editDrift(edit, before, after)).toEqual(expected);
  });

  const editable = fc.record({
    customName: fc.option(fc.string({ maxLength: 2 })),
    exception: fc.option(fc.boolean()),
    tags: fc.array(fc.constantFrom('old', 'dmz', 'x'), { maxLength: 3 }),
    intoGroup: fc.option(fc.constantFrom('a', 'b')),
  });

  it('says nothing that does not break the seal', () => {
    fc.assert(
      fc.property(fc.constantFrom(move, tag), editable, editable, (edit, one, other) => {
        const [before, after] = [device({}, one), device({}, other)];
        const same = seal({ command: edit, targets: [before] }) === seal({ command: edit, targets: [after] });
        if (editDrift(edit, before, after).length > 0) expect(same).toBe(false);
      }),
    );
  });
});

describe('the seal of an edit', () => {
  it('is broken by each of its values, and by each field of the device or group', () => {
    const seals = [
      seal({ command: change, targets: [group()] }),
      seal({ command: { ...change, change: { notes: 'x' } }, targets: [group()] }),
      seal({ command: { ...change, groupId: groupId(6) }, targets: [group()] }),
      seal({ command: change, targets: [group({ parentName: 'x' })] }),
      seal({
        command: change,
        targets: [group({ policies: [{ id: policyId(3), name: 'Patch all', digest: 'a' }] })],
      }),
      seal({ command: change, targets: [group({}, { deviceCount: 3 })] }),
      seal({ command: move, targets: [device()] }),
      seal({ command: tag, targets: [device()] }),
      seal({ command: tag, targets: [device({}, { tags: [] })] }),
    ];
    expect(new Set(seals).size).toBe(seals.length);
  });

  it('does not depend on the order of tags, nor on when it was read', () => {
    const turned: FleetEdit = {
      kind: 'device-edit',
      change: { retag: { remove: ['old'], add: ['dmz', 'dmz'] } },
    };
    const one = seal({ command: tag, targets: [device({}, { tags: ['a', 'b'] })] });
    const other = device({ asOf: later(NOW, 5) }, { tags: ['b', 'a'] });
    expect(seal({ command: turned, targets: [other] })).toBe(one);
  });

  it('has a fingerprint of the edit and its target, whatever the target’s state', () => {
    const print = fingerprint({ command: change, targets: [group()] });
    expect(fingerprint({ command: change, targets: [group({ displayName: 'x' }, { notes: 'y' })] })).toBe(
      print,
    );
    expect(fingerprint({ command: { ...change, groupId: groupId(6) }, targets: [group()] })).not.toBe(print);
  });
});
