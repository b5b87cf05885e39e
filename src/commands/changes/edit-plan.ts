/** Reads the device of an edit, and makes the proposal without fields that already have their value. */
import { fieldChanges, fitsOnCard, MAX_READABLE_LENGTH } from '../../fleet/facts/edit-changes.ts';
import { type DeviceFacts, isPolicyFacts, type TargetFacts } from '../../fleet/facts/facts.ts';
import { readDeviceForEdit } from '../../fleet/facts/read-facts.ts';
import { type DeviceEdit, editedFields, type FleetEdit } from '../../fleet/model/actions.ts';
import type { EditedField } from '../../fleet/model/changes.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { definedExcept } from '../../lib/record-fields.ts';
import type { Problem } from '../../views/views.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';

/** An edit sends all tags: those that the service does not state would be lost. */
export const TAGS_UNSTATED: Problem = {
  kind: 'unsendable-change',
  fault: { kind: 'not-shown', what: 'device-tags' },
};

export async function readDeviceToEdit(
  id: DeviceId,
  edit: DeviceEdit,
  { fleet, inventory, clock, organizationId }: ReadPorts,
): Promise<DeviceFacts | Problem> {
  const read = await fleet.device(id, PERSON_PRIORITY);
  inventory.learnDevice(read);
  if (read.tags === null) return TAGS_UNSTATED;
  const facts = await readDeviceForEdit(fleet, edit, {
    deviceId: id,
    asOf: clock.now(),
    lane: 'person',
    organizationId,
    read,
    groupName: (group) => inventory.groupName(group, PERSON_PRIORITY),
  });
  return facts ?? { kind: 'device-gone', query: `#${id}` };
}

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
  return { kind: 'proposal', proposal: { command, targets: [factsFor(command, facts)], reason } };
}

/** As they are read again for this edit: without what only the fields that it no longer names refer to. */
function factsFor(edit: FleetEdit, facts: TargetFacts): TargetFacts {
  const named = new Set<EditedField>(editedFields(edit));
  if (isPolicyFacts(facts)) return named.has('groupIds') ? facts : { ...facts, groups: [] };
  if (facts.deviceId === null) {
    const { parentName, policies } = facts;
    return {
      ...facts,
      parentName: named.has('parentId') ? parentName : null,
      policies: named.has('policyIds') ? policies : [],
    };
  }
  if (facts.editable === null || named.has('groupId')) return facts;
  const { policies, ...editable } = facts.editable;
  const applied = named.has('tags') && policies !== undefined ? { policies } : {};
  return { ...facts, editable: { ...editable, ...applied, intoGroup: null } };
}

function withoutUnchanged(edit: FleetEdit, same: ReadonlySet<EditedField>): FleetEdit {
  // Both change the tags.
  const unchanged = new Set<string>(same.has('tags') ? [...same, 'retag'] : same);
  switch (edit.kind) {
    case 'device-edit':
      return { ...edit, change: definedExcept(edit.change, unchanged) };
    case 'group-edit':
      return { ...edit, change: definedExcept(edit.change, unchanged) };
    case 'policy-edit': {
      const { settings: given = {}, ...change } = edit.change;
      const settings = definedExcept(given, unchanged);
      const left = definedExcept(change, unchanged);
      return { ...edit, change: Object.keys(settings).length === 0 ? left : { ...left, settings } };
    }
    case 'group-create':
    case 'policy-create':
      return edit;
  }
}

export function listAfter<T>(now: readonly T[], added: readonly T[], removed: readonly T[]): readonly T[] {
  return [...new Set([...now.filter((one) => !removed.includes(one)), ...added])];
}
