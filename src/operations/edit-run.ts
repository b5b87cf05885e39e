/** Sends a claimed edit: one call of the editor for each claim, or one for all of them where only tags change. */
import type { Clock, Instant } from '../clock.ts';
import type { Checked, DeviceField, EditOutcome, FleetEditor } from '../fleet/edits.ts';
import type { Device } from '../fleet/model.ts';
import type { DeviceEdit, FleetEdit, GroupChanging } from '../fleet/orders.ts';
import type { DeviceId } from '../ids.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { TargetRecord } from '../store/records.ts';
import { afterEdit, type EditEnd } from './edit-outcome.ts';
import type { Stopped } from './stopped.ts';

/** Who knows the fleet by heart, and should know of a change at once. */
export type Learner = Pick<Inventory, 'learn' | 'learnGroup'> & {
  /** The packages of a device changed, or may have changed, until then. */
  readonly packagesChanged: (id: DeviceId, at: Instant) => void;
};

export type EditParts = {
  readonly editor: FleetEditor;
  readonly learner: Learner | undefined;
  readonly clock: Clock;
  readonly stopped: Stopped;
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
  const { clock, stopped } = parts;
  const ended: Ended = async (target, outcome) =>
    record(
      outcome.kind === 'withheld'
        ? await stopped.withheld(target)
        : afterEdit(target, edit, outcome, clock.now()),
    );
  /** Those that may still be sent; the others end here. */
  const open = async (targets: readonly TargetRecord[]): Promise<readonly TargetRecord[]> => {
    const ready: TargetRecord[] = [];
    for (const target of targets) {
      const held = await stopped.since(target);
      if (held === null) ready.push(target);
      else await record(held);
    }
    return ready;
  };
  if (edit.kind === 'device-edit' && isOneCall(edit, claimed)) {
    return tagDevices(parts, { edit, claimed: await open(claimed) }, ended);
  }
  for (const one of claimed) {
    for (const target of await open([one])) await ended(target, await sendOne(parts, edit, target));
  }
}

type Ended = (target: TargetRecord, outcome: EditOutcome<EditEnd>) => Promise<void>;

async function sendOne(
  parts: EditParts,
  edit: FleetEdit,
  target: TargetRecord,
): Promise<EditOutcome<EditEnd>> {
  switch (edit.kind) {
    case 'group-create':
      return createGroup(parts, edit);
    case 'group-edit':
      return changeGroup(parts, edit);
    case 'device-edit':
      return learned(parts, await parts.editor.updateDevice(deviceOf(target), edit.change));
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

/** Tags of several devices alone are one call. */
function isOneCall({ change }: DeviceEdit, claimed: readonly TargetRecord[]): boolean {
  const { retag, ...others } = change;
  return retag !== undefined && Object.keys(others).length === 0 && claimed.length > 1;
}

async function tagDevices(
  parts: EditParts,
  { edit, claimed }: { readonly edit: DeviceEdit; readonly claimed: readonly TargetRecord[] },
  ended: Ended,
): Promise<void> {
  const { retag } = edit.change;
  if (retag === undefined || claimed.length === 0) return;
  const tagged = await parts.editor.tagDevices(claimed.map(deviceOf), retag);
  for (const target of claimed) {
    const found = tagged.find(({ deviceId }) => deviceId === target.deviceId);
    if (found !== undefined) await ended(target, learned(parts, found.outcome));
  }
}

function learned(
  { learner }: EditParts,
  outcome: EditOutcome<Checked<Device, DeviceField>>,
): EditOutcome<EditEnd> {
  const after = outcome.kind === 'done' ? outcome.result.after : null;
  if (after !== null) learner?.learn(after);
  return outcome;
}

function deviceOf({ deviceId, operationId }: TargetRecord): DeviceId {
  if (deviceId === null) throw new Error(`operation ${operationId} edits a device and names none`);
  return deviceId;
}
