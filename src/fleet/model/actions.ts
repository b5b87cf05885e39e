/** What a person can request of the service: commands to devices, edits of records, and their removal. */
import { z } from 'zod';
import { groupField, policyField, type Stored } from '../../lib/record-fields.ts';
import {
  deviceChange,
  type EditedField,
  groupChange,
  type NewPolicy,
  newGroup,
  newPolicy,
  policyChange,
} from './changes.ts';
import { POLICY_SETTING_NAMES } from './policy.ts';

const texts = z.array(z.string());

/** All missing packages of these severities; `named`: machine names that were requested beside them. */
const chosenBySeverity = z.object({ severities: texts, named: texts });
export type ChosenBySeverity = Stored<typeof chosenBySeverity>;

/** The name is only for people, as it was when the command was requested. */
const commandPolicy = z.object({ policyId: policyField, policyName: z.string().exactOptional() });
export type CommandPolicy = Stored<typeof commandPolicy>;

/** As it is stored, too. */
export const actionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scan') }),
  z.object({ kind: z.literal('reboot') }),
  /** Everything available, ignoring policy filters (§4.3). */
  z.object({ kind: z.literal('patch-all') }),
  /** These packages, by machine name. How they were chosen is only for people; absent: each was named. */
  z.object({ kind: z.literal('patch'), packages: texts, chosen: chosenBySeverity.exactOptional() }),
  /**
   * Installs on each of its devices what was found missing there when it was requested; `chosen` null: all of it. Sent
   * as a `patch` of the packages that are sealed with the device.
   */
  z.object({ kind: z.literal('patch-each'), chosen: chosenBySeverity.nullable() }),
  /** Whether the device complies with a Worklet policy. */
  z.object({ kind: z.literal('policy-test'), ...commandPolicy.shape }),
  /** Forces a Worklet or Required Software policy on this one device. */
  z.object({ kind: z.literal('policy-remediate'), ...commandPolicy.shape }),
  /** The same edit for every device it is for. */
  z.object({ kind: z.literal('device-edit'), change: deviceChange }),
  z.object({ kind: z.literal('group-create'), group: newGroup }),
  z.object({ kind: z.literal('group-edit'), groupId: groupField, change: groupChange }),
  z.object({ kind: z.literal('policy-create'), policy: newPolicy }),
  z.object({ kind: z.literal('policy-edit'), policyId: policyField, change: policyChange }),
  /** These take the device or the group out of the service for good. */
  z.object({ kind: z.literal('device-remove') }),
  z.object({ kind: z.literal('group-remove'), groupId: groupField }),
]);
export type FleetAction = Stored<typeof actionSchema>;
export type ActionOf<Kind extends FleetAction['kind']> = Extract<FleetAction, { kind: Kind }>;

export type PackagesCommand = ActionOf<'patch'>;
export type PatchEach = ActionOf<'patch-each'>;
/** Commands that a device can be sent (§4.3). */
export type FleetCommand =
  | PackagesCommand
  | ActionOf<'scan' | 'reboot' | 'patch-all' | 'policy-test' | 'policy-remediate'>;
/** Commands to devices, as they are requested. */
export type DeviceCommand = FleetCommand | PatchEach;
export type DeviceEdit = ActionOf<'device-edit'>;
export type GroupCreate = ActionOf<'group-create'>;
export type GroupUpdate = ActionOf<'group-edit'>;
/** These concern a group, not a device. */
export type GroupEdit = GroupCreate | GroupUpdate;
export type PolicyCreate = ActionOf<'policy-create'>;
export type PolicyUpdate = ActionOf<'policy-edit'>;
/** These concern a policy of the service, not a device. */
export type PolicyEdit = PolicyCreate | PolicyUpdate;
export type FleetEdit = DeviceEdit | GroupEdit | PolicyEdit;
export type DeviceRemoval = ActionOf<'device-remove'>;
export type GroupRemoval = ActionOf<'group-remove'>;
export type Removal = DeviceRemoval | GroupRemoval;
/** What is done with one target. */
export type TargetAction = Exclude<FleetAction, PatchEach>;

/** The action on a target that misses `missing`. */
export function actionOn(action: FleetAction, missing: readonly string[]): TargetAction {
  if (action.kind !== 'patch-each') return action;
  return { kind: 'patch', packages: missing, ...(action.chosen === null ? {} : { chosen: action.chosen }) };
}

const ACTION_KINDS: ReadonlySet<unknown> = new Set(actionSchema.options.map(({ shape }) => shape.kind.value));

/** Whether the text names a kind of action; records of newer versions may name others. */
export function isActionKind(text: unknown): text is FleetAction['kind'] {
  return ACTION_KINDS.has(text);
}

/** Words and records depend on no more of an action than its kind. */
export type ActionKind = Pick<FleetAction, 'kind'>;
type OfKind<A, Action extends FleetAction> = Extract<A, { readonly kind: Action['kind'] }>;

export function isEdit<A extends ActionKind>(action: A): action is OfKind<A, FleetEdit> {
  return (
    action.kind === 'device-edit' ||
    action.kind === 'group-create' ||
    action.kind === 'group-edit' ||
    isPolicyEdit(action)
  );
}

export function isRemoval<A extends ActionKind>(action: A): action is OfKind<A, Removal> {
  return action.kind === 'device-remove' || action.kind === 'group-remove';
}

/** Whether it changes records and not the device itself: edits and removals. */
export function changesRecord<A extends ActionKind>(action: A): action is OfKind<A, FleetEdit | Removal> {
  return isEdit(action) || isRemoval(action);
}

function isPolicyEdit<A extends ActionKind>(action: A): action is OfKind<A, PolicyEdit> {
  return action.kind === 'policy-create' || action.kind === 'policy-edit';
}

export type RecordKind = 'device' | 'group' | 'policy';

/** Whose record it makes, changes or removes; a command is about its device. */
export function recordKindOf(action: ActionKind): RecordKind {
  if (isPolicyEdit(action)) return 'policy';
  return action.kind === 'group-create' || action.kind === 'group-edit' || action.kind === 'group-remove'
    ? 'group'
    : 'device';
}

/** The fields that an edit is about, in the order in which it names them. */
export function editedFields(edit: FleetEdit): readonly EditedField[] {
  switch (edit.kind) {
    case 'device-edit':
      return DEVICE_FIELDS.filter(
        (field) => edit.change[field] !== undefined || (field === 'tags' && edit.change.retag !== undefined),
      );
    case 'group-create':
      return GROUP_FIELDS.filter((field) => edit.group[field] !== undefined);
    case 'group-edit':
      return GROUP_FIELDS.filter((field) => edit.change[field] !== undefined);
    case 'policy-create':
      return policyFields(edit.policy);
    case 'policy-edit':
      return policyFields(edit.change);
  }
}

const DEVICE_FIELDS = ['customName', 'groupId', 'tags', 'exception', 'addresses'] as const;
const GROUP_FIELDS = [
  'name',
  'parentId',
  'refreshIntervalMinutes',
  'color',
  'notes',
  'osAutoUpdate',
  'wsus',
  'policyIds',
] as const;

const POLICY_FIELDS = [
  'name',
  'severities',
  'groupIds',
  'days',
  'time',
  'timezone',
  'weeksOfMonth',
  'months',
  'notes',
] as const;

function policyFields(policy: Partial<NewPolicy>): readonly EditedField[] {
  return [
    ...POLICY_FIELDS.filter((field) => policy[field] !== undefined),
    ...POLICY_SETTING_NAMES.filter((name) => policy.settings?.[name] !== undefined),
  ];
}

/** Actions that change which packages a device has, or may change them. */
export const PACKAGE_ACTIONS = ['patch', 'patch-all', 'patch-each', 'policy-remediate'] as const;

export function changesPackages({ kind }: ActionKind): boolean {
  return PACKAGE_ACTIONS.some((known) => known === kind);
}
