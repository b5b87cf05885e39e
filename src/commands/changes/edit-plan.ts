/** Reads the device of an edit, and makes the proposal without fields that already have their value. */
import { fieldChanges, fitsOnCard, MAX_READABLE_LENGTH } from '../../fleet/facts/edit-changes.ts';
import { readDeviceForEdit } from '../../fleet/facts/read-edit-facts.ts';
import type { DeviceEdit, FleetEdit } from '../../fleet/model/actions.ts';
import type { DeviceChange, EditedField, GroupChange, PolicyChange } from '../../fleet/model/changes.ts';
import { POLICY_SETTING_NAMES } from '../../fleet/model/policy-settings.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { DeviceFacts, TargetFacts } from '../../store/port/records.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';

/** The device with the fields that can be edited; null: it is in another organization. */
export async function readDeviceToEdit(
  id: DeviceId,
  edit: DeviceEdit,
  { fleet, inventory, clock, organizationId }: ReadPorts,
): Promise<DeviceFacts | null> {
  const read = await fleet.device(id, PERSON_PRIORITY);
  inventory.learnDevice(read);
  return readDeviceForEdit(fleet, edit, {
    deviceId: id,
    asOf: clock.now(),
    lane: 'person',
    organizationId,
    read,
    groupName: (group) => inventory.groupName(group, PERSON_PRIORITY),
  });
}

/** The proposal of an edit of this device or group, without fields that already have their value. */
export function proposeEdit(edit: FleetEdit, facts: TargetFacts, reason: string | null): Planned {
  const same = new Set(
    fieldChanges(edit, facts)
      .filter(({ before, after }) => before === after)
      .map(({ field }) => field),
  );
  const command = withoutUnchanged(edit, same);
  const changes = fieldChanges(command, facts);
  if (changes.length === 0)
    return { kind: 'problem', problem: { kind: 'already-so', name: facts.displayName } };
  if (!fitsOnCard(changes))
    return { kind: 'problem', problem: { kind: 'unreadable-edit', most: MAX_READABLE_LENGTH } };
  return { kind: 'proposal', proposal: { command, targets: [facts], reason } };
}

type UnchangedFields = ReadonlySet<EditedField>;

function withoutUnchanged(edit: FleetEdit, same: UnchangedFields): FleetEdit {
  switch (edit.kind) {
    case 'device-edit':
      return { ...edit, change: deviceEditWithout(edit.change, same) };
    case 'group-edit':
      return { ...edit, change: groupEditWithout(edit.change, same) };
    case 'policy-edit':
      return { ...edit, change: policyEditWithout(edit.change, same) };
    case 'group-create':
    case 'policy-create':
      return edit;
  }
}

function deviceEditWithout(change: DeviceChange, same: UnchangedFields): DeviceChange {
  const { customName, groupId, tags, retag, exception, addresses } = change;
  return {
    ...(customName === undefined || same.has('customName') ? {} : { customName }),
    ...(groupId === undefined || same.has('groupId') ? {} : { groupId }),
    ...(tags === undefined || same.has('tags') ? {} : { tags }),
    ...(retag === undefined || same.has('tags') ? {} : { retag }),
    ...(exception === undefined || same.has('exception') ? {} : { exception }),
    ...(addresses === undefined || same.has('addresses') ? {} : { addresses }),
  };
}

function groupEditWithout(change: GroupChange, same: UnchangedFields): GroupChange {
  const { name, parentId, refreshIntervalMinutes, color, notes, osAutoUpdate, wsus, policyIds } = change;
  return {
    ...(name === undefined || same.has('name') ? {} : { name }),
    ...(parentId === undefined || same.has('parentId') ? {} : { parentId }),
    ...(refreshIntervalMinutes === undefined || same.has('refreshIntervalMinutes')
      ? {}
      : { refreshIntervalMinutes }),
    ...(color === undefined || same.has('color') ? {} : { color }),
    ...(notes === undefined || same.has('notes') ? {} : { notes }),
    ...(osAutoUpdate === undefined || same.has('osAutoUpdate') ? {} : { osAutoUpdate }),
    ...(wsus === undefined || same.has('wsus') ? {} : { wsus }),
    ...(policyIds === undefined || same.has('policyIds') ? {} : { policyIds }),
  };
}

function policyEditWithout({ settings = {}, ...change }: PolicyChange, same: UnchangedFields): PolicyChange {
  const { name, notes, groupIds, days, weeksOfMonth, months, time, timezone } = change;
  const names = POLICY_SETTING_NAMES.filter((one) => settings[one] !== undefined && !same.has(one));
  return {
    ...(name === undefined || same.has('name') ? {} : { name }),
    ...(notes === undefined || same.has('notes') ? {} : { notes }),
    ...(groupIds === undefined || same.has('groupIds') ? {} : { groupIds }),
    ...(days === undefined || same.has('days') ? {} : { days }),
    ...(weeksOfMonth === undefined || same.has('weeksOfMonth') ? {} : { weeksOfMonth }),
    ...(months === undefined || same.has('months') ? {} : { months }),
    ...(time === undefined || same.has('time') ? {} : { time }),
    ...(timezone === undefined || same.has('timezone') ? {} : { timezone }),
    ...(names.length === 0 ? {} : { settings: Object.fromEntries(names.map((one) => [one, settings[one]])) }),
  };
}
