/** The same edit of many devices: a target for each, sealed and proven one by one. */
import { fieldChanges } from '../../fleet/facts/edit-changes.ts';
import { readDeviceForEdit } from '../../fleet/facts/read-facts.ts';
import type { DeviceEdit } from '../../fleet/model/actions.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { createSharedReader } from '../../fleet/reads/shared-reader.ts';
import type { DeviceFacts } from '../../store/port/records.ts';
import type { Problem, UsageFault } from '../../views/model.ts';
import type { ReadPorts } from '../core/command.ts';
import { quoteValue } from '../parser/tokenizer.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { unknownGroupView } from '../targets/resolve-group.ts';
import { type ChosenForMany, leaveOut } from './plan-targets.ts';

export type ManyEdit = {
  readonly edit: DeviceEdit;
  /** A fault of the command's line as a problem. */
  readonly problem: (fault: UsageFault) => Problem;
};

/** The devices that the edit changes; those that have its values already stay out. */
export async function editDevices(
  devices: readonly Device[],
  { edit, problem }: ManyEdit,
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const unknown = edit.change.retag?.remove.find((tag) => !devices.some(({ tags }) => tags?.includes(tag)));
  if (unknown !== undefined) {
    const expected = 'a tag that at least one of these devices has';
    const word = `-tag:${quoteValue(unknown)}`;
    return { kind: 'problem', problem: problem({ kind: 'bad-value', word, expected }) };
  }
  const all = await factsOfAll(devices, edit, ports);
  const { groupId } = edit.change;
  if (groupId !== undefined && [...all.values()].some((facts) => facts?.editable?.intoGroup === null))
    return { kind: 'view', view: unknownGroupView(`#${groupId}`) };
  const changes = (device: Device): DeviceFacts | null => {
    const facts = all.get(device) ?? null;
    const isChanged = facts && fieldChanges(edit, facts).some(({ before, after }) => before !== after);
    return isChanged ? facts : null;
  };
  return {
    kind: 'chosen',
    command: edit,
    targets: devices.flatMap((device) => changes(device) ?? []),
    leftOut: devices
      .filter((device) => changes(device) === null)
      .map((device) =>
        leaveOut(device, (name) =>
          all.get(device) === null ? { kind: 'device-gone', query: name } : { kind: 'already-so', name },
        ),
      ),
  };
}

/** Null: in another organization. The devices were read; of groups and policies one list is enough for all of them. */
async function factsOfAll(
  devices: readonly Device[],
  edit: DeviceEdit,
  { fleet, inventory, clock, organizationId }: ReadPorts,
): Promise<ReadonlyMap<Device, DeviceFacts | null>> {
  const reader = createSharedReader(fleet, clock);
  const asOf = clock.now();
  const facts = new Map<Device, DeviceFacts | null>();
  for (const read of devices) {
    const context = { deviceId: read.id, asOf, lane: 'person', organizationId, read } as const;
    const groupName = (group: Device['groupId']) => inventory.groupName(group, PERSON_PRIORITY);
    facts.set(read, await readDeviceForEdit(reader, edit, { ...context, groupName }));
  }
  return facts;
}
