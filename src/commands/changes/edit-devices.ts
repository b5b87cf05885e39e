/** The same tags for several devices: one request with a target for each, sealed and proven one by one. */
import { fieldChanges, fitsTogetherOnCard } from '../../fleet/facts/edit-changes.ts';
import { readDeviceForEdit } from '../../fleet/facts/read-edit-facts.ts';
import type { DeviceEdit } from '../../fleet/model/actions.ts';
import type { TagChange } from '../../fleet/model/edits.ts';
import type { Device } from '../../fleet/model/resources.ts';
import type { DeviceFacts } from '../../store/port/records.ts';
import type { Problem, UsageFault } from '../../views/model.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { quoteValue } from '../parser/tokenizer.ts';
import { PERSON_PRIORITY, type RetryWithDevice } from '../targets/resolve-device.ts';
import { withEachDevice } from '../targets/several-devices.ts';

export type TagPlan = {
  readonly names: readonly string[];
  readonly again: RetryWithDevice;
  readonly tags: TagChange;
  readonly reason: string | null;
  /** A fault of the command's line as a problem. */
  readonly problem: (fault: UsageFault) => Problem;
};

/** As many as one card shows with their tags. Our own limit; the service takes 500 (management API in practice, 7). */
export const MAX_TAGGED_AT_ONCE = 50;

/** A proposal for those of the devices whose tags change. */
export async function planTags(
  { names, again, tags, reason, problem }: TagPlan,
  ports: ReadPorts,
): Promise<Planned> {
  if (names.length > MAX_TAGGED_AT_ONCE) {
    const fault = {
      kind: 'bad-value',
      word: `${names.length} devices`,
      expected: `at most ${MAX_TAGGED_AT_ONCE} devices at once`,
    } as const;
    return { kind: 'problem', problem: problem(fault) };
  }
  const edit: DeviceEdit = { kind: 'device-edit', change: { retag: tags } };
  const read = await withEachDevice(names, { again, job: (id) => readForTags(id, edit, ports) }, ports);
  if (read.kind !== 'done') return read;
  const all = [...read.value.values()];
  const gone = [...read.value].find(([, facts]) => facts === null);
  if (gone !== undefined) return { kind: 'problem', problem: { kind: 'device-gone', query: `#${gone[0]}` } };
  const devices = all.filter((facts) => facts !== null);
  const unknown = tags.remove.find((tag) => !devices.some((facts) => facts.editable?.tags.includes(tag)));
  if (unknown !== undefined) {
    const expected = 'a tag that at least one of these devices has';
    const word = `-tag:${quoteValue(unknown)}`;
    return { kind: 'problem', problem: problem({ kind: 'bad-value', word, expected }) };
  }
  return proposeTags(edit, devices, reason);
}

async function readForTags(
  id: Device['id'],
  edit: DeviceEdit,
  { fleet, inventory, clock, organizationId }: ReadPorts,
): Promise<DeviceFacts | null> {
  const device = await fleet.device(id, PERSON_PRIORITY);
  inventory.learnDevice(device);
  return readDeviceForEdit(fleet, edit, {
    deviceId: id,
    asOf: clock.now(),
    lane: 'person',
    organizationId,
    read: device,
    groupName: (group) => inventory.groupName(group, PERSON_PRIORITY),
  });
}

function proposeTags(edit: DeviceEdit, devices: readonly DeviceFacts[], reason: string | null): Planned {
  const changed = devices.filter((facts) =>
    fieldChanges(edit, facts).some(({ before, after }) => before !== after),
  );
  const leftOut = devices
    .filter((facts) => !changed.includes(facts))
    .map(({ displayName: name }) => ({ name, problem: { kind: 'already-so', name } as const }));
  if (changed.length === 0) {
    const name = `Each of the ${devices.length} devices`;
    return { kind: 'problem', problem: { kind: 'already-so', name } };
  }
  if (!fitsTogetherOnCard(edit, changed))
    return { kind: 'problem', problem: { kind: 'too-many-for-card', devices: changed.length } };
  const proposal = { command: edit, targets: changed, reason };
  return leftOut.length === 0 ? { kind: 'proposal', proposal } : { kind: 'proposal', proposal, leftOut };
}
