import { describe, expect, it } from 'vitest';
import { fieldChanges } from '../../../src/fleet/facts/edit-changes.ts';
import {
  changesRecord,
  editedFields,
  isEdit,
  isRemoval,
  recordKindOf,
} from '../../../src/fleet/model/actions.ts';
import type { DeviceChange, GroupChange, PolicyChange } from '../../../src/fleet/model/changes.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { aDeviceToEdit, aGroupToEdit, aPolicyToEdit } from '../../requests/builders.ts';

const device = aDeviceToEdit({}, { customName: 'Desk', tags: ['b', 'a'], addresses: ['192.0.2.1'] });
const group = aGroupToEdit(
  {},
  { color: '#123456', notes: 'x', osAutoUpdate: true, wsus: { managed: true, server: 'http://w:1' } },
);

const differs = (added: readonly string[], removed: readonly string[], kept: readonly string[] = []) => ({
  difference: { added, removed, kept },
});

describe('an edit in rows', () => {
  it.each<[DeviceChange, string, string, string, object?]>([
    [{ customName: null }, 'customName', 'Desk', 'none'],
    [{ groupId: groupId(10) }, 'groupId', 'Servers (#9)', 'Laptops (#10)'],
    [{ retag: { add: ['c'], remove: ['a'] } }, 'tags', 'a, b', 'b, c', differs(['c'], ['a'], ['b'])],
    [{ tags: [] }, 'tags', 'a, b', 'none', differs([], ['a', 'b'])],
    [{ exception: true }, 'exception', 'no', 'yes'],
    [
      { addresses: ['192.0.2.2', '192.0.2.1'] },
      'addresses',
      '192.0.2.1',
      '192.0.2.1, 192.0.2.2',
      differs(['192.0.2.2'], [], ['192.0.2.1']),
    ],
  ])('of a device: %j', (change, field, before, after, more = {}) => {
    expect(fieldChanges({ kind: 'device-edit', change }, device)).toEqual([
      { field, before, after, ...more },
    ]);
  });

  it.each([
    ['of the same name', 'Servers', 'Servers (#9)', 'Servers (#10)'],
    ['whose name is not known', null, 'Servers (#9)', '#10 (name unknown)'],
  ])('tell a group %s by its id', (_what, intoGroup, before, after) => {
    const facts = aDeviceToEdit({}, { intoGroup });
    const [row] = fieldChanges({ kind: 'device-edit', change: { groupId: groupId(10) } }, facts);
    expect(row).toEqual({ field: 'groupId', before, after });
  });

  it('of a long list show the added and removed items', () => {
    const tags = Array.from({ length: 100 }, (_, at) => `tag-${at}`);
    const retag = { add: ['new', 'tag-3'], remove: ['tag-4', 'absent'] };
    const [row] = fieldChanges({ kind: 'device-edit', change: { retag } }, aDeviceToEdit({}, { tags }));
    expect(row?.difference).toMatchObject({ added: ['new'], removed: ['tag-4'] });
    expect(row?.difference?.kept).toHaveLength(99);
  });

  it.each<[GroupChange, string, string, string, object?]>([
    [{ name: 'Booths' }, 'name', 'Kiosks', 'Booths'],
    [{ parentId: groupId(8) }, 'parentId', 'Default group (#1)', 'Servers (#8)'],
    [{ refreshIntervalMinutes: 250 }, 'refreshIntervalMinutes', '24 hours', '250 minutes'],
    [
      { color: 'utah clay' },
      'color',
      '#123456 (Pine Green in the management service)',
      '#D78500 (Utah Clay in the management service)',
    ],
    [{ notes: '' }, 'notes', 'x', 'none'],
    [{ osAutoUpdate: null }, 'osAutoUpdate', 'on', 'the device’s own setting'],
    [{ wsus: { enabled: false } }, 'wsus', 'WSUS, server http://w:1', 'the Windows update service'],
    [
      { wsus: { enabled: true, server: 'http://v:2' } },
      'wsus',
      'WSUS, server http://w:1',
      'WSUS, server http://v:2',
    ],
    [{ wsus: { enabled: true } }, 'wsus', 'WSUS, server http://w:1', 'WSUS, server http://w:1'],
    [{ policyIds: [policyId(3)] }, 'policyIds', 'none', 'Patch all (#3)', differs(['Patch all (#3)'], [])],
  ])('of a group: %j', (change, field, before, after, more = {}) => {
    const edit = { kind: 'group-edit', groupId: groupId(5), change } as const;
    expect(fieldChanges(edit, group)).toEqual([{ field, before, after, ...more }]);
    expect(editedFields(edit)).toEqual([field]);
  });

  it('of a new group have no earlier value', () => {
    const wanted = { name: 'Web', parentId: groupId(8), refreshIntervalMinutes: 720 };
    const facts = { ...group, groupId: null, group: null };
    expect(fieldChanges({ kind: 'group-create', group: wanted }, facts)).toEqual([
      { field: 'name', before: null, after: 'Web' },
      { field: 'parentId', before: null, after: 'Servers (#8)' },
      { field: 'refreshIntervalMinutes', before: null, after: '12 hours' },
    ]);
  });

  it.each<[PolicyChange, string, string, string, object?]>([
    [{ name: 'Nightly' }, 'name', 'Patch all', 'Nightly'],
    [{ notes: '' }, 'notes', 'none', 'none'],
    [
      { groupIds: [groupId(10)] },
      'groupIds',
      'Servers (#9)',
      'Kiosks (#10)',
      differs(['Kiosks (#10)'], ['Servers (#9)']),
    ],
    [{ days: 62 }, 'days', 'every day', 'Monday to Friday'],
    [{ days: 0 }, 'days', 'every day', 'none (runs only by hand)'],
    [{ weeksOfMonth: 10 }, 'weeksOfMonth', 'every week', 'first and third'],
    [{ months: 8 }, 'months', 'every month', 'March'],
    [{ time: '03:30' }, 'time', '02:00', '03:30'],
    [{ timezone: 'UTC+0100' }, 'timezone', 'each device’s own time', 'UTC+0100'],
    [{ settings: { autoReboot: true } }, 'autoReboot', 'off', 'on'],
    [{ settings: { notifyPending: false } }, 'notifyPending', 'not set', 'off'],
    [{ settings: { deferrals: 0 } }, 'deferrals', '3', '0'],
    [{ settings: { deferralHours: [8, 2] } }, 'deferralHours', '1, 4 and 8 hours', '2 and 8 hours'],
    [{ settings: { timeout: 30 } }, 'timeout', 'not set', '30 minutes'],
    [{ settings: { patchText: 'Save!' } }, 'patchText', 'not set', 'Save!'],
  ])('of a policy: %j', (change, field, before, after, more = {}) => {
    const edit = { kind: 'policy-edit', policyId: policyId(3), change } as const;
    const groups = [{ id: groupId(10), name: 'Kiosks', devices: 4 }];
    expect(fieldChanges(edit, aPolicyToEdit({ groups }))).toEqual([{ field, before, after, ...more }]);
    expect(editedFields(edit)).toEqual([field]);
  });

  it('of a new policy say what it installs, and where', () => {
    const edit = {
      kind: 'policy-create',
      policy: { name: 'Nightly', severities: ['critical', 'high'], groupIds: [groupId(10)], days: 0 },
    } as const;
    const facts = aPolicyToEdit({
      policyId: null,
      current: null,
      groups: [{ id: groupId(10), name: 'Kiosks', devices: 4 }],
    });
    expect(fieldChanges(edit, facts)).toEqual([
      { field: 'name', before: null, after: 'Nightly' },
      { field: 'severities', before: null, after: 'only critical and high severity' },
      { field: 'groupIds', before: null, after: 'Kiosks (#10)' },
      { field: 'days', before: null, after: 'none (runs only by hand)' },
    ]);
  });

  it('are empty for a thing of another kind', () => {
    expect(
      fieldChanges({ kind: 'policy-edit', policyId: policyId(3), change: { name: 'x' } }, group),
    ).toEqual([]);
    expect(fieldChanges({ kind: 'device-edit', change: { customName: 'x' } }, group)).toEqual([]);
    expect(fieldChanges({ kind: 'group-edit', groupId: groupId(5), change: { name: 'x' } }, device)).toEqual(
      [],
    );
  });
});

it('edits differ from commands, and edits of groups from edits of devices', () => {
  const edits = [
    { kind: 'device-edit', change: {} },
    { kind: 'group-edit', groupId: groupId(5), change: {} },
    { kind: 'scan' },
    { kind: 'device-remove' },
    { kind: 'group-remove', groupId: groupId(5) },
    { kind: 'policy-edit', policyId: policyId(3), change: {} },
  ] as const;
  expect(edits.map(isEdit)).toEqual([true, true, false, false, false, true]);
  expect(edits.map(isRemoval)).toEqual([false, false, false, true, true, false]);
  expect(edits.map(changesRecord)).toEqual([true, true, false, true, true, true]);
  expect(edits.map(recordKindOf)).toEqual(['device', 'group', 'device', 'device', 'group', 'policy']);
});
