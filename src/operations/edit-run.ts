/** Sends a claimed edit: one call of the editor for each claim, or one for all of them where only tags change. */
import type { Clock, Instant } from '../clock.ts';
import type { Checked, DeviceField, EditOutcome, FleetEditor } from '../fleet/edits.ts';
import type { Device } from '../fleet/model.ts';
import type { DeviceEdit, FleetEdit, GroupChanging } from '../fleet/orders.ts';
import type { DeviceId } from '../ids.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { TargetRecord } from '../store/records.ts';
import { afterEdit, type EditEnd } from './edit-outcome.ts';

/** Who knows the fleet by heart, and should know of a change at once. */
export type Learner = Pick<Inventory, 'learn' | 'learnGroup'> & {
  /** The packages of a device changed, or may have changed, until then. */
  readonly packagesChanged: (id: DeviceId, at: Instant) => void;
};

export type EditParts = {
  readonly editor: FleetEditor;
  readonly learner: Learner | undefined;
  readonly clock: Clock;
};
export type ClaimedEdit = { readonly edit: FleetEdit; readonly claimed: readonly TargetRecord[] };
/** Takes each target as soon as something is known of it. */
export type Recorded = (next: TargetRecord) => Promise<void>;

/** Sends what was claimed, each thing once, and records what became of each target; tags of several devices are one call. */
export async function sendEdit(
  parts: EditParts,
  { edit, claimed }: ClaimedEdit,
  record: Recorded,
): Promise<void> {
  const { clock } = parts;
  const ended = (target: TargetRecord, outcome: EditOutcome<EditEnd>): Promise<void> =>
    record(afterEdit(target, edit, outcome, clock.now()));
  switch (edit.kind) {
    case 'group-create':
      for (const target of claimed) await ended(target, await createGroup(parts, edit));
      return;
    case 'group-edit':
      for (const target of claimed) await ended(target, await changeGroup(parts, edit));
      return;
    case 'device-edit':
      await editDevices(parts, { edit, claimed }, ended);
  }
}

async function createGroup(
  { editor, learner }: EditParts,
  { group }: Extract<FleetEdit, { kind: 'group-create' }>,
): Promise<EditOutcome<EditEnd>> {
  const outcome = await editor.createGroup(group);
  if (outcome.kind !== 'done') return outcome;
  const { group: made, ...findings } = outcome.result;
  learner?.learnGroup(made);
  return { kind: 'done', result: { ...findings, alsoChanged: [], groupId: made.id } };
}

async function changeGroup(
  { editor, learner }: EditParts,
  { groupId, change }: GroupChanging,
): Promise<EditOutcome<EditEnd>> {
  const outcome = await editor.updateGroup(groupId, change);
  const after = outcome.kind === 'done' ? outcome.result.after : null;
  if (after !== null) learner?.learnGroup(after);
  return outcome;
}

async function editDevices(
  { editor, learner }: EditParts,
  { edit, claimed }: { readonly edit: DeviceEdit; readonly claimed: readonly TargetRecord[] },
  ended: (target: TargetRecord, outcome: EditOutcome<EditEnd>) => Promise<void>,
): Promise<void> {
  const end = (target: TargetRecord, outcome: EditOutcome<Checked<Device, DeviceField>>): Promise<void> => {
    const after = outcome.kind === 'done' ? outcome.result.after : null;
    if (after !== null) learner?.learn(after);
    return ended(target, outcome);
  };
  const { retag, ...others } = edit.change;
  if (retag === undefined || Object.keys(others).length > 0 || claimed.length === 1) {
    for (const target of claimed) await end(target, await editor.updateDevice(deviceOf(target), edit.change));
    return;
  }
  const tagged = await editor.tagDevices(claimed.map(deviceOf), retag);
  for (const target of claimed) {
    const found = tagged.find(({ deviceId }) => deviceId === target.deviceId);
    if (found !== undefined) await end(target, found.outcome);
  }
}

function deviceOf({ deviceId, operationId }: TargetRecord): DeviceId {
  if (deviceId === null) throw new Error(`operation ${operationId} edits a device and names none`);
  return deviceId;
}
