/** What a person can request of the service: commands to devices, edits of records, and their removal. */
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { DeviceChange, EditedField, GroupChange, NewGroup, NewPolicy, PolicyChange } from './changes.ts';
import { POLICY_SETTING_NAMES } from './policy-settings.ts';
import type { ChosenBySeverity, FleetCommand } from './resources.ts';

/** The same edit for every device it is for. */
export type DeviceEdit = { readonly kind: 'device-edit'; readonly change: DeviceChange };
export type GroupCreate = { readonly kind: 'group-create'; readonly group: NewGroup };
export type GroupUpdate = {
  readonly kind: 'group-edit';
  readonly groupId: GroupId;
  readonly change: GroupChange;
};
/** These concern a group, not a device. */
export type GroupEdit = GroupCreate | GroupUpdate;
export type PolicyCreate = { readonly kind: 'policy-create'; readonly policy: NewPolicy };
export type PolicyUpdate = {
  readonly kind: 'policy-edit';
  readonly policyId: PolicyId;
  readonly change: PolicyChange;
};
/** These concern a policy of the service, not a device. */
export type PolicyEdit = PolicyCreate | PolicyUpdate;
export type FleetEdit = DeviceEdit | GroupEdit | PolicyEdit;
/** Takes the device or the group out of the service for good. */
export type DeviceRemoval = { readonly kind: 'device-remove' };
export type GroupRemoval = { readonly kind: 'group-remove'; readonly groupId: GroupId };
export type Removal = DeviceRemoval | GroupRemoval;
/**
 * Installs on each of its devices what was found missing there when it was requested; `chosen` null: all of it. Sent as
 * a `patch` of the packages that are sealed with the device.
 */
export type PatchEach = { readonly kind: 'patch-each'; readonly chosen: ChosenBySeverity | null };
/** Commands to devices, as they are requested. */
export type DeviceCommand = FleetCommand | PatchEach;
export type FleetAction = DeviceCommand | FleetEdit | Removal;
/** What is done with one target. */
export type TargetAction = Exclude<FleetAction, PatchEach>;

/** The action on a target that misses `missing`. */
export function actionOn(action: FleetAction, missing: readonly string[]): TargetAction {
  if (action.kind !== 'patch-each') return action;
  return { kind: 'patch', packages: missing, ...(action.chosen === null ? {} : { chosen: action.chosen }) };
}

const ACTION_KINDS = {
  scan: true,
  reboot: true,
  patch: true,
  'patch-all': true,
  'patch-each': true,
  'policy-test': true,
  'policy-remediate': true,
  'device-edit': true,
  'group-create': true,
  'group-edit': true,
  'policy-create': true,
  'policy-edit': true,
  'device-remove': true,
  'group-remove': true,
} as const satisfies Readonly<Record<FleetAction['kind'], true>>;

/** Whether the text names a kind of action; records of newer versions may name others. */
export function isActionKind(text: unknown): text is FleetAction['kind'] {
  return typeof text === 'string' && Object.hasOwn(ACTION_KINDS, text);
}

/** Words and records depend on no more of an action than its kind. */
export type ActionKind = Pick<FleetAction, 'kind'>;
type OfKind<A, Action extends FleetAction> = Extract<A, { readonly kind: Action['kind'] }>;

/** Whether it sets fields of a record. */
export function isEdit<A extends ActionKind>(action: A): action is OfKind<A, FleetEdit> {
  return (
    action.kind === 'device-edit' ||
    action.kind === 'group-create' ||
    action.kind === 'group-edit' ||
    isPolicyEdit(action)
  );
}

/** Whether it takes a record out of the service. */
export function isRemoval<A extends ActionKind>(action: A): action is OfKind<A, Removal> {
  return action.kind === 'device-remove' || action.kind === 'group-remove';
}

/** Whether it changes records and not the device itself: edits and removals. */
export function changesRecord<A extends ActionKind>(action: A): action is OfKind<A, FleetEdit | Removal> {
  return isEdit(action) || isRemoval(action);
}

/** Whether it makes or changes a policy. */
function isPolicyEdit<A extends ActionKind>(action: A): action is OfKind<A, PolicyEdit> {
  return action.kind === 'policy-create' || action.kind === 'policy-edit';
}

/** What an action can be about. */
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

/** Whether the action is one of {@link PACKAGE_ACTIONS}. */
export function changesPackages({ kind }: ActionKind): boolean {
  return PACKAGE_ACTIONS.some((known) => known === kind);
}

/** Whether the action was certainly not carried out: it was not sent, or not accepted. */
export function isCertainlyNotDone({ state }: { readonly state: string }): boolean {
  return state === 'not_sent' || state === 'refused';
}
