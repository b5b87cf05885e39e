/** What a person can request of the service: commands to devices, edits of records, and their removal. */
import type { GroupId } from '../../lib/ids.ts';
import type { DeviceChange, EditedField, GroupChange, NewGroup } from './edits.ts';
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
export type FleetEdit = DeviceEdit | GroupEdit;
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
  'device-remove': true,
  'group-remove': true,
} as const satisfies Readonly<Record<FleetAction['kind'], true>>;

/** Whether the text names a kind of action; records of newer versions may name others. */
export function isActionKind(text: unknown): text is FleetAction['kind'] {
  return typeof text === 'string' && Object.hasOwn(ACTION_KINDS, text);
}

/** Whether it sets fields of a record. */
export function isEdit(action: FleetAction): action is FleetEdit {
  return action.kind === 'device-edit' || action.kind === 'group-create' || action.kind === 'group-edit';
}

/** Whether it takes a record out of the service. */
export function isRemoval(action: FleetAction): action is Removal {
  return action.kind === 'device-remove' || action.kind === 'group-remove';
}

/** Whether it changes records and not the device itself: edits and removals. */
export function changesRecord(action: FleetAction): action is FleetEdit | Removal {
  return isEdit(action) || isRemoval(action);
}

/** Whether it makes, changes or removes a group, so that no device is its target. */
export function isGroupAction(action: FleetAction): action is GroupEdit | GroupRemoval {
  return action.kind === 'group-create' || action.kind === 'group-edit' || action.kind === 'group-remove';
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

/** Actions that change which packages a device has, or may change them. */
export const PACKAGE_ACTIONS = ['patch', 'patch-all', 'patch-each', 'policy-remediate'] as const;

/** Whether the action is one of {@link PACKAGE_ACTIONS}. */
export function changesPackages({ kind }: Pick<FleetAction, 'kind'>): boolean {
  return PACKAGE_ACTIONS.some((known) => known === kind);
}

/** Whether the action was certainly not carried out: it was not sent, or not accepted. */
export function isCertainlyNotDone({ state }: { readonly state: string }): boolean {
  return state === 'not_sent' || state === 'refused';
}
