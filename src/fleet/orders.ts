/** What a person can have done through the service: commands to devices, and edits of records. */
import type { GroupId } from '../ids.ts';
import type { DeviceChange, EditedField, GroupChange, NewGroup } from './edits.ts';
import type { FleetCommand } from './model.ts';

/** Of every device that it is for, the same. */
export type DeviceEdit = { readonly kind: 'device-edit'; readonly change: DeviceChange };
export type GroupCreation = { readonly kind: 'group-create'; readonly group: NewGroup };
export type GroupChanging = {
  readonly kind: 'group-edit';
  readonly groupId: GroupId;
  readonly change: GroupChange;
};
/** These concern a group, and no device by itself. */
export type GroupEdit = GroupCreation | GroupChanging;
export type FleetEdit = DeviceEdit | GroupEdit;
export type FleetOrder = FleetCommand | FleetEdit;

/** Whether it changes a record and not the device itself. */
export function isEdit(order: FleetOrder): order is FleetEdit {
  return order.kind === 'device-edit' || order.kind === 'group-create' || order.kind === 'group-edit';
}

/** Whether it makes or changes a group, so that no device is its target. */
export function isGroupEdit(order: FleetOrder): order is GroupEdit {
  return order.kind === 'group-create' || order.kind === 'group-edit';
}

/** The fields that an edit is about, in the order in which it names them. */
export function fieldsOf(edit: FleetEdit): readonly EditedField[] {
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

/** Orders that change which packages a device has, or may do so. */
export const PACKAGE_ORDERS = ['patch', 'patch-all', 'policy-remediate'] as const;

export function changesPackages({ kind }: Pick<FleetOrder, 'kind'>): boolean {
  return PACKAGE_ORDERS.some((known) => known === kind);
}
