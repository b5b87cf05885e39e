/** From an edit with its facts to a proposal: what is so already is left out. Pure. */
import { changesOf } from '../../fleet/changes.ts';
import type { DeviceChange, EditedField, GroupChange } from '../../fleet/edits.ts';
import type { FleetEdit } from '../../fleet/orders.ts';
import { isReadable, MOST_READABLE } from '../../fleet/readable.ts';
import type { TargetFacts } from '../../store/records.ts';
import type { Planned } from '../command.ts';

/** The proposal of the edit for this thing, without the fields that have their value already. */
export function proposeEdit(edit: FleetEdit, facts: TargetFacts, reason: string | null): Planned {
  const same = new Set(
    changesOf(edit, facts)
      .filter(({ before, after }) => before === after)
      .map(({ field }) => field),
  );
  const command = without(edit, same);
  const changes = changesOf(command, facts);
  if (changes.length === 0)
    return { kind: 'problem', problem: { kind: 'already-so', name: facts.displayName } };
  if (!isReadable(changes))
    return { kind: 'problem', problem: { kind: 'unreadable-edit', most: MOST_READABLE } };
  return { kind: 'proposal', proposal: { command, targets: [facts], reason } };
}

type Same = ReadonlySet<EditedField>;

function without(edit: FleetEdit, same: Same): FleetEdit {
  switch (edit.kind) {
    case 'device-edit':
      return { ...edit, change: deviceWithout(edit.change, same) };
    case 'group-edit':
      return { ...edit, change: groupWithout(edit.change, same) };
    case 'group-create':
      return edit;
  }
}

function deviceWithout(change: DeviceChange, same: Same): DeviceChange {
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

function groupWithout(change: GroupChange, same: Same): GroupChange {
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
