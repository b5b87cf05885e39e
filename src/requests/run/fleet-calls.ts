/**
 * The calls that change the fleet: the one holder of the fleet's writer and editor. A claim is sent by whoever committed
 * it, right after the commit and once, because the service has no idempotency key (§4.3).
 */
import type {
  AppliedChange,
  EditOutcome,
  FleetEditor,
  FleetWriter,
  Removed,
  WriteOptions,
} from '../../fleet/fleet.ts';
import {
  type DeviceEdit,
  type FleetAction,
  type FleetEdit,
  isEdit,
  isRemoval,
  type Removal,
} from '../../fleet/model/actions.ts';
import type { EditedField } from '../../fleet/model/changes.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { reportRemoved, requireDevice } from '../kinds/kind.ts';
import { targetsPerCall } from '../kinds/kinds.ts';
import type { EditFindings } from '../proof/record-outcome.ts';
import { type TargetOutcome, targetAction } from '../target-transitions.ts';

/** Who knows the fleet by heart, and should know of a change at once. */
export type FleetChangeListener = Pick<
  Inventory,
  'learnDevice' | 'learnGroup' | 'learnPolicy' | 'forgetDevice' | 'forgetGroup'
> & {
  /** The packages of a device changed, or may have changed, until then. */
  readonly packagesChanged: (id: DeviceId, at: Instant) => void;
};

type Outcomes = readonly (readonly [RequestTarget, TargetOutcome])[];

/** What became of each of these targets, which are claimed and changed in one call. */
export type CallFleet = (
  action: FleetAction,
  claimed: readonly RequestTarget[],
  options: WriteOptions,
) => Promise<Outcomes>;

export type FleetCallsOptions = {
  readonly writer: FleetWriter;
  readonly editor: FleetEditor;
  readonly takesTagBatches: boolean;
  readonly changeListener?: FleetChangeListener | undefined;
};

/** One for each process, which remembers what the service turned out not to have. */
export function createFleetCalls(options: FleetCallsOptions) {
  const { writer } = options;
  let { takesTagBatches } = options;
  return {
    callFleet: async (...[requested, claimed, writeOptions]: Parameters<CallFleet>): Promise<Outcomes> => {
      const [only, ...others] = claimed;
      if (only === undefined) return [];
      const action = targetAction(requested, only);
      if (others.length > 0) {
        if (action.kind !== 'device-edit')
          throw new Error(`no call takes several devices for ${action.kind}`);
        const outcomes = await tagDevices(options, { edit: action, claimed }, writeOptions);
        takesTagBatches = outcomes !== null;
        return outcomes ?? claimed.map((target) => [target, NO_BATCHES]);
      }
      if (isRemoval(action))
        return [[only, await remove(options, { removal: action, target: only }, writeOptions)]];
      const outcome = isEdit(action)
        ? await callEditor(options, { edit: action, target: only }, writeOptions)
        : await writer.issue(requireDevice(only), action, writeOptions);
      return [[only, outcome]];
    },
    targetsPerCall: (action: FleetAction) => targetsPerCall(action, takesTagBatches),
  };
}

/** The claims are given back, and each device becomes a call of its own. */
const NO_BATCHES: TargetOutcome = {
  kind: 'unsent',
  error: {
    kind: 'missing',
    method: 'POST',
    path: '/servers/batch',
    status: null,
    detail: '',
    held: { kind: 'no-batches' },
  },
  retryAfterMs: null,
};

async function remove(
  { editor, changeListener }: FleetCallsOptions,
  { removal, target }: { readonly removal: Removal; readonly target: RequestTarget },
  writeOptions: WriteOptions,
): Promise<EditOutcome<Removed>> {
  const outcome =
    removal.kind === 'group-remove'
      ? await editor.deleteGroup(removal.groupId, writeOptions)
      : await editor.deleteDevice(requireDevice(target), writeOptions);
  if (outcome.kind === 'done' && outcome.result.gone) reportRemoved(changeListener, removal, target);
  return outcome;
}

async function callEditor(
  { editor, changeListener }: FleetCallsOptions,
  { edit, target }: { readonly edit: FleetEdit; readonly target: RequestTarget },
  writeOptions: WriteOptions,
): Promise<EditOutcome<EditFindings>> {
  switch (edit.kind) {
    case 'device-edit': {
      const outcome = await editor.updateDevice(requireDevice(target), edit.change, writeOptions);
      return learned(outcome, changeListener?.learnDevice);
    }
    case 'group-edit': {
      const outcome = await editor.updateGroup(edit.groupId, edit.change, writeOptions);
      return learned(outcome, changeListener?.learnGroup);
    }
    case 'group-create': {
      const outcome = await editor.createGroup(edit.group, writeOptions);
      if (outcome.kind !== 'done') return outcome;
      const { group, ...findings } = outcome.result;
      changeListener?.learnGroup(group);
      return { kind: 'done', result: { ...findings, alsoChanged: [], groupId: group.id } };
    }
    case 'policy-edit': {
      const outcome = await editor.updatePolicy(edit.policyId, edit.change, writeOptions);
      return learned(outcome, changeListener?.learnPolicy);
    }
    case 'policy-create': {
      const outcome = await editor.createPolicy(edit.policy, writeOptions);
      if (outcome.kind !== 'done') return outcome;
      const { after, ...findings } = outcome.result;
      if (after === null) return { kind: 'done', result: findings };
      changeListener?.learnPolicy(after);
      return { kind: 'done', result: { ...findings, policyId: after.id } };
    }
  }
}

/** Tags of several devices are one call. Null: the service has none for them. */
async function tagDevices(
  { editor, changeListener }: FleetCallsOptions,
  { edit: { change }, claimed }: { readonly edit: DeviceEdit; readonly claimed: readonly RequestTarget[] },
  writeOptions: WriteOptions,
): Promise<Outcomes | null> {
  if (change.retag === undefined) throw new Error('no call takes several devices but for tags');
  const tagged = await editor.tagDevices(claimed.map(requireDevice), change.retag, writeOptions);
  if (tagged === null) return null;
  const outcomes = new Map(tagged.map(({ deviceId, outcome }) => [deviceId, outcome]));
  return claimed.flatMap((target) => {
    const outcome = outcomes.get(requireDevice(target));
    return outcome === undefined ? [] : [[target, learned(outcome, changeListener?.learnDevice)] as const];
  });
}

function learned<T, Field extends EditedField>(
  outcome: EditOutcome<AppliedChange<T, Field>>,
  learn: ((after: T) => void) | undefined,
): EditOutcome<EditFindings> {
  const after = outcome.kind === 'done' ? outcome.result.after : null;
  if (after !== null) learn?.(after);
  return outcome;
}
