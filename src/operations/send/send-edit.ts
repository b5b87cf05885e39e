/** Sends a claimed edit: one call of the editor for each claim, or one for all of them where only tags change. */

import type { DeviceEdit, FleetEdit, GroupUpdate } from '../../fleet/model/actions.ts';
import type { AppliedChange, DeviceField, EditOutcome, FleetEditor } from '../../fleet/model/edits.ts';
import type { Device } from '../../fleet/model/resources.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { TargetRecord } from '../../store/port/records.ts';
import { type EditFindings, targetAfterEdit } from '../proof/edit-outcome.ts';
import type { SendCheck } from './send-check.ts';

/** Holds the device index, which takes a change at once. */
export type FleetChangeListener = Pick<Inventory, 'learnDevice' | 'learnGroup'> & {
  /** The packages of a device changed, or may have changed, until then. */
  readonly packagesChanged: (id: DeviceId, at: Instant) => void;
};

export type EditSenderOptions = {
  readonly editor: FleetEditor;
  readonly changeListener: FleetChangeListener | undefined;
  readonly clock: Clock;
  readonly sendCheck: SendCheck;
};
export type ClaimedEdit = { readonly edit: FleetEdit; readonly claimed: readonly TargetRecord[] };
/** Takes each target as soon as something is known of it. */
export type RecordTarget = (next: TargetRecord) => Promise<void>;

/** Sends what was claimed, each thing once, and records what became of each target; tags of several devices are one call. */
export async function sendEdit(
  parts: EditSenderOptions,
  { edit, claimed }: ClaimedEdit,
  record: RecordTarget,
): Promise<void> {
  const { clock, sendCheck } = parts;
  const recordOutcome: RecordEditOutcome = async (target, outcome) =>
    record(
      outcome.kind === 'withheld'
        ? await sendCheck.withheldTarget(target)
        : targetAfterEdit(target, edit, outcome, clock.now()),
    );
  /** Those that may still be sent; the others end here. */
  const stillSendable = async (targets: readonly TargetRecord[]): Promise<readonly TargetRecord[]> => {
    const ready: TargetRecord[] = [];
    for (const target of targets) {
      const held = await sendCheck.unsentTarget(target);
      if (held === null) ready.push(target);
      else await record(held);
    }
    return ready;
  };
  if (edit.kind === 'device-edit' && isTagsOnly(edit, claimed)) {
    return tagDevices(parts, { edit, claimed: await stillSendable(claimed) }, recordOutcome);
  }
  for (const one of claimed) {
    for (const target of await stillSendable([one]))
      await recordOutcome(target, await sendOne(parts, edit, target));
  }
}

type RecordEditOutcome = (target: TargetRecord, outcome: EditOutcome<EditFindings>) => Promise<void>;

async function sendOne(
  parts: EditSenderOptions,
  edit: FleetEdit,
  target: TargetRecord,
): Promise<EditOutcome<EditFindings>> {
  switch (edit.kind) {
    case 'group-create':
      return createGroup(parts, edit);
    case 'group-edit':
      return updateGroup(parts, edit);
    case 'device-edit':
      return reportChange(parts, await parts.editor.updateDevice(deviceOf(target), edit.change));
  }
}

async function createGroup(
  { editor, changeListener }: EditSenderOptions,
  { group }: Extract<FleetEdit, { kind: 'group-create' }>,
): Promise<EditOutcome<EditFindings>> {
  const outcome = await editor.createGroup(group);
  if (outcome.kind !== 'done') return outcome;
  const { group: made, ...findings } = outcome.result;
  changeListener?.learnGroup(made);
  return { kind: 'done', result: { ...findings, alsoChanged: [], groupId: made.id } };
}

async function updateGroup(
  { editor, changeListener }: EditSenderOptions,
  { groupId, change }: GroupUpdate,
): Promise<EditOutcome<EditFindings>> {
  const outcome = await editor.updateGroup(groupId, change);
  const after = outcome.kind === 'done' ? outcome.result.after : null;
  if (after !== null) changeListener?.learnGroup(after);
  return outcome;
}

/** Tags of several devices alone are one call. */
function isTagsOnly({ change }: DeviceEdit, claimed: readonly TargetRecord[]): boolean {
  const { retag, ...others } = change;
  return retag !== undefined && Object.keys(others).length === 0 && claimed.length > 1;
}

async function tagDevices(
  parts: EditSenderOptions,
  { edit, claimed }: { readonly edit: DeviceEdit; readonly claimed: readonly TargetRecord[] },
  ended: RecordEditOutcome,
): Promise<void> {
  const { retag } = edit.change;
  if (retag === undefined || claimed.length === 0) return;
  const tagged = await parts.editor.tagDevices(claimed.map(deviceOf), retag);
  for (const target of claimed) {
    const found = tagged.find(({ deviceId }) => deviceId === target.deviceId);
    if (found !== undefined) await ended(target, reportChange(parts, found.outcome));
  }
}

function reportChange(
  { changeListener }: EditSenderOptions,
  outcome: EditOutcome<AppliedChange<Device, DeviceField>>,
): EditOutcome<EditFindings> {
  const after = outcome.kind === 'done' ? outcome.result.after : null;
  if (after !== null) changeListener?.learnDevice(after);
  return outcome;
}

function deviceOf({ deviceId, operationId }: TargetRecord): DeviceId {
  if (deviceId === null) throw new Error(`operation ${operationId} edits a device and names none`);
  return deviceId;
}
