/**
 * The calls that change the fleet: the one holder of the fleet's writer and editor. A claim is sent by whoever committed
 * it, right after the commit and once, because the service has no idempotency key (§4.3).
 */

import type { FleetWriter, IssueOutcome } from '../../fleet/fleet.ts';
import {
  type DeviceEdit,
  type FleetAction,
  type FleetEdit,
  isEdit,
  isRemoval,
  type Removal,
} from '../../fleet/model/actions.ts';
import type {
  AppliedChange,
  DeviceField,
  EditOutcome,
  FleetEditor,
  Removed,
} from '../../fleet/model/edits.ts';
import type { Device } from '../../fleet/model/resources.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { requireDevice } from '../kinds/kind.ts';
import { reportRemoved } from '../kinds/report-removed.ts';
import type { EditFindings } from '../proof/edit-outcome.ts';

/** Who knows the fleet by heart, and should know of a change at once. */
export type FleetChangeListener = Pick<
  Inventory,
  'learnDevice' | 'learnGroup' | 'forgetDevice' | 'forgetGroup'
> & {
  /** The packages of a device changed, or may have changed, until then. */
  readonly packagesChanged: (id: DeviceId, at: Instant) => void;
};

export type CallOutcome = IssueOutcome | EditOutcome<EditFindings | Removed>;

/** What became of each of these targets, which are claimed and changed in one call. */
export type CallFleet = (
  action: FleetAction,
  claimed: readonly RequestTarget[],
) => Promise<readonly (readonly [RequestTarget, CallOutcome])[]>;

export type FleetCallsOptions = {
  readonly writer: FleetWriter;
  readonly editor: FleetEditor;
  readonly changeListener?: FleetChangeListener | undefined;
};

export function createCallFleet(options: FleetCallsOptions): CallFleet {
  const { writer } = options;
  return async (action, claimed) => {
    const [only, ...others] = claimed;
    if (only === undefined) return [];
    if (others.length > 0) {
      if (action.kind !== 'device-edit') throw new Error(`no call takes several devices for ${action.kind}`);
      return tagDevices(options, action, claimed);
    }
    if (isRemoval(action)) return [[only, await remove(options, action, only)]];
    const outcome = isEdit(action)
      ? await callEditor(options, action, only)
      : await writer.issue(requireDevice(only), action);
    return [[only, outcome]];
  };
}

async function remove(
  { editor, changeListener }: FleetCallsOptions,
  removal: Removal,
  target: RequestTarget,
): Promise<EditOutcome<Removed>> {
  const outcome =
    removal.kind === 'group-remove'
      ? await editor.deleteGroup(removal.groupId)
      : await editor.deleteDevice(requireDevice(target));
  if (outcome.kind === 'done' && outcome.result.gone) reportRemoved(changeListener, removal, target);
  return outcome;
}

async function callEditor(
  { editor, changeListener }: FleetCallsOptions,
  edit: FleetEdit,
  target: RequestTarget,
): Promise<EditOutcome<EditFindings>> {
  switch (edit.kind) {
    case 'device-edit': {
      const outcome = await editor.updateDevice(requireDevice(target), edit.change);
      return learnDevice(changeListener, outcome);
    }
    case 'group-edit': {
      const outcome = await editor.updateGroup(edit.groupId, edit.change);
      const after = outcome.kind === 'done' ? outcome.result.after : null;
      if (after !== null) changeListener?.learnGroup(after);
      return outcome;
    }
    case 'group-create': {
      const outcome = await editor.createGroup(edit.group);
      if (outcome.kind !== 'done') return outcome;
      const { group, ...findings } = outcome.result;
      changeListener?.learnGroup(group);
      return { kind: 'done', result: { ...findings, alsoChanged: [], groupId: group.id } };
    }
  }
}

/** Tags of several devices are one call. */
async function tagDevices(
  { editor, changeListener }: FleetCallsOptions,
  { change }: DeviceEdit,
  claimed: readonly RequestTarget[],
): ReturnType<CallFleet> {
  if (change.retag === undefined) throw new Error('no call takes several devices but for tags');
  const tagged = await editor.tagDevices(claimed.map(requireDevice), change.retag);
  const outcomes = new Map(tagged.map(({ deviceId, outcome }) => [deviceId, outcome]));
  return claimed.flatMap((target) => {
    const outcome = outcomes.get(requireDevice(target));
    return outcome === undefined ? [] : [[target, learnDevice(changeListener, outcome)] as const];
  });
}

function learnDevice(
  changeListener: FleetChangeListener | undefined,
  outcome: EditOutcome<AppliedChange<Device, DeviceField>>,
): EditOutcome<EditFindings> {
  const after = outcome.kind === 'done' ? outcome.result.after : null;
  if (after !== null) changeListener?.learnDevice(after);
  return outcome;
}
