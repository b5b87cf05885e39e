import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyEditFacts } from '../../../src/fleet/facts/policy-edit-facts.ts';
import type { FleetEdit } from '../../../src/fleet/model/actions.ts';
import { later } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { fingerprint, seal } from '../../../src/requests/decide/seal.ts';
import type { DriftList } from '../../../src/requests/drift/device-drift.ts';
import { driftOf } from '../../../src/requests/kinds/kinds.ts';
import type { DeviceFacts, GroupFacts } from '../../../src/store/port/records.ts';
import { aDeviceToEdit, aGroupToEdit, aPolicyToEdit, NOW } from '../builders.ts';

const move: FleetEdit = { kind: 'device-edit', change: { groupId: groupId(10) } };
const tag: FleetEdit = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: ['old'] } } };
const addresses: FleetEdit = { kind: 'device-edit', change: { addresses: ['10.1.1.1'] } };
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

describe('what changed about a policy to edit', () => {
  const edit: FleetEdit = {
    kind: 'policy-edit',
    policyId: policyId(3),
    change: { time: '03:00', settings: { autoReboot: true } },
  };
  const schedule = { days: 254, weeksOfMonth: 62, months: 8_190, time: '04:00', timezone: 'device' };
  const settings = { autoReboot: true, deferrals: 3, deferralHours: [1, 4, 8] };
  it.each<readonly [string, PolicyEditFacts, DriftList]>([
    ['nothing', aPolicyToEdit({ asOf: later(NOW, 9) }), []],
    [
      'how many devices it reaches',
      aPolicyToEdit({ devices: 34 }),
      [{ kind: 'device-count', name: 'Patch all', was: 4, now: 34 }],
    ],
    [
      'whom it reaches, though the edit does not name that',
      aPolicyToEdit({}, { groups: [{ id: groupId(10), name: 'Laptops', devices: 4 }] }),
      [{ kind: 'fact', name: 'Patch all', field: 'current.groups' }],
    ],
    [
      'a field that is asked for',
      aPolicyToEdit({}, { schedule, digest: 'decade' }),
      [{ kind: 'field', name: 'Patch all', field: 'time', was: '02:00', now: '04:00' }],
    ],
    [
      'a setting that is asked for',
      aPolicyToEdit({}, { settings, digest: 'decade' }),
      [{ kind: 'field', name: 'Patch all', field: 'autoReboot', was: 'off', now: 'on' }],
    ],
    [
      'its script, or a setting that is not asked for',
      aPolicyToEdit({}, { digest: 'decade' }),
      [{ kind: 'policy-changed', policy: { id: policyId(3), name: 'Patch all' }, shown: true }],
    ],
    [
      'its name',
      aPolicyToEdit({ displayName: 'Nightly' }),
      [{ kind: 'renamed', name: 'Patch all', now: 'Nightly' }],
    ],
  ])('%s', (_what, current, drift) => {
    expect(driftOf(edit, aPolicyToEdit(), current)).toEqual(drift);
    const sealOf = (facts: PolicyEditFacts) => seal({ action: edit, targets: [facts] });
    if (drift.length > 0) expect(sealOf(current)).not.toBe(sealOf(aPolicyToEdit()));
  });
});

describe('what changed about a device or group to edit', () => {
  it.each<readonly [string, FleetEdit, DeviceFacts | GroupFacts, DeviceFacts | GroupFacts, DriftList]>([
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
      [{ kind: 'policy-changed', policy: { id: policyId(3), name: 'Patch all' }, shown: true }],
    ],
    [
      'a policy that the group is to get is not shown any more',
      change,
      group({ policies: [{ id: policyId(3), name: 'Patch all', digest: 'a' }] }),
      group({ policies: [{ id: policyId(3), name: 'Patch all', digest: null }] }),
      [{ kind: 'policy-changed', policy: { id: policyId(3), name: 'Patch all' }, shown: false }],
    ],
    ['a policy that was asked for before there were digests', change, group(), group(), []],
    [
      'it has another hostname',
      tag,
      device(),
      device({ hostname: 'db-01' }),
      [{ kind: 'hostname', name: 'web-01', was: 'web-01', now: 'db-01' }],
    ],
    [
      'it is called otherwise',
      tag,
      device(),
      device({ displayName: 'shop' }),
      [{ kind: 'renamed', name: 'web-01', now: 'shop' }],
    ],
    [
      'it moved',
      move,
      device(),
      device({ groupId: groupId(11), groupName: 'Kiosks' }),
      [{ kind: 'field', name: 'web-01', field: 'groupId', was: 'Servers (#9)', now: 'Kiosks (#11)' }],
    ],
    [
      'where it is to go has another name',
      move,
      device(),
      device({}, { intoGroup: 'Attic' }),
      [
        {
          kind: 'requested-field',
          name: 'web-01',
          field: 'groupId',
          was: 'Laptops (#10)',
          now: 'Attic (#10)',
        },
      ],
    ],
    [
      'where it is to go is gone',
      move,
      device(),
      device({}, { intoGroup: null }),
      [
        {
          kind: 'requested-field',
          name: 'web-01',
          field: 'groupId',
          was: 'Laptops (#10)',
          now: '#10 (name unknown)',
        },
      ],
    ],
    [
      'its tags changed',
      tag,
      device(),
      device({}, { tags: ['old', 'new'] }),
      [{ kind: 'field', name: 'web-01', field: 'tags', was: 'old', now: 'new, old' }],
    ],
    ['nothing about a group', change, group(), group(), []],
    ['a field of the group that is not asked for', change, group(), group({}, { notes: 'x' }), []],
    [
      'a field of the group',
      change,
      group(),
      group({}, { refreshIntervalMinutes: 720 }),
      [{ kind: 'field', name: 'Kiosks', field: 'refreshIntervalMinutes', was: '24 hours', now: '12 hours' }],
    ],
    [
      'the wanted parent has another name',
      change,
      group(),
      group({ parentName: 'Attic' }),
      [
        {
          kind: 'requested-field',
          name: 'Kiosks',
          field: 'parentId',
          was: 'Servers (#8)',
          now: 'Attic (#8)',
        },
      ],
    ],
    [
      'a wanted policy is gone',
      change,
      group(),
      group({ policies: [{ id: policyId(3), name: null }] }),
      [
        {
          kind: 'requested-field',
          name: 'Kiosks',
          field: 'policyIds',
          was: 'Patch all (#3)',
          now: '#3 (name unknown)',
        },
      ],
    ],
    [
      'the group is called otherwise',
      change,
      group(),
      group({ displayName: 'Booths' }),
      [{ kind: 'renamed', name: 'Kiosks', now: 'Booths' }],
    ],
    [
      'its addresses, which are on no note',
      addresses,
      device(),
      device({}, { addresses: ['10.9.8.7'] }),
      [{ kind: 'addresses', name: 'web-01' }],
    ],
  ])('%s', (_what, edit, before, after, expected) => {
    expect(driftOf(edit, before, after)).toEqual(expected);
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
        const same = seal({ action: edit, targets: [before] }) === seal({ action: edit, targets: [after] });
        if (driftOf(edit, before, after).length > 0) expect(same).toBe(false);
      }),
    );
  });
});

describe('the seal of an edit', () => {
  it('is broken by each of its values, and by each field of the device or group', () => {
    const seals = [
      seal({ action: change, targets: [group()] }),
      seal({ action: { ...change, change: { notes: 'x' } }, targets: [group()] }),
      seal({ action: { ...change, groupId: groupId(6) }, targets: [group()] }),
      seal({ action: change, targets: [group({ parentName: 'x' })] }),
      seal({
        action: change,
        targets: [group({ policies: [{ id: policyId(3), name: 'Patch all', digest: 'a' }] })],
      }),
      seal({ action: change, targets: [group({}, { deviceCount: 3 })] }),
      seal({ action: move, targets: [device()] }),
      seal({ action: tag, targets: [device()] }),
      seal({ action: tag, targets: [device({}, { tags: [] })] }),
    ];
    expect(new Set(seals).size).toBe(seals.length);
  });

  it('does not depend on the order of tags, nor on when it was read', () => {
    const turned: FleetEdit = {
      kind: 'device-edit',
      change: { retag: { remove: ['old'], add: ['dmz', 'dmz'] } },
    };
    const one = seal({ action: tag, targets: [device({}, { tags: ['a', 'b'] })] });
    const other = device({ asOf: later(NOW, 5) }, { tags: ['b', 'a'] });
    expect(seal({ action: turned, targets: [other] })).toBe(one);
  });

  it('has a fingerprint of the edit and its target, whatever the target’s state', () => {
    const print = fingerprint({ action: change, targets: [group()] });
    expect(fingerprint({ action: change, targets: [group({ displayName: 'x' }, { notes: 'y' })] })).toBe(
      print,
    );
    expect(fingerprint({ action: { ...change, groupId: groupId(6) }, targets: [group()] })).not.toBe(print);
  });
});
