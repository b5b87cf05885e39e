/** What can be changed through the service beside commands to devices (§4.1, §4.4, §4.10): types only. */
import type { DeviceId, GroupId, PolicyId } from '../ids.ts';
import type { FleetError } from './fleet.ts';
import type { Device, Group } from './model.ts';
import type { Policy } from './policy.ts';

/** What became of a write. */
export type EditOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  /** Certainly not carried out; `invalid` with status null where nothing was sent. */
  | { readonly kind: 'refused'; readonly error: FleetError }
  /** It may have happened: the answer was lost. Never sent again by itself. */
  | { readonly kind: 'unknown'; readonly error: FleetError };

/**
 * A change that the service took, as it reads afterwards. `after` is null where it could not be read back; then
 * nothing is known about what was taken. `notTaken` names fields that read otherwise than they were sent.
 */
export type Checked<T, Field extends string> = {
  readonly after: T | null;
  readonly notTaken: readonly Field[];
};

export type NewGroup = {
  readonly name: string;
  /** 360 to 1440 (documented), 240 to 1440 (live). */
  readonly refreshIntervalMinutes: number;
  /** The Default Group's id makes it top-level. */
  readonly parentId: GroupId;
  /** `#RRGGBB`. */
  readonly color?: string;
  readonly notes?: string;
  /** Null keeps the devices' own setting. */
  readonly osAutoUpdate?: boolean | null;
  readonly wsus?: { readonly enabled: boolean | null; readonly server?: string };
  readonly policyIds?: readonly PolicyId[];
};

/**
 * `wsus` is echoed neither by the create (§4.1) nor reliably later, so it is known to be sent, not to be set;
 * `sentUnconfirmed` names such fields.
 */
export type CreatedGroup = { readonly group: Group; readonly sentUnconfirmed: readonly GroupField[] };
export type GroupField = keyof NewGroup;
export type GroupChange = Partial<NewGroup>;

/** Only what is given changes; the rest is read and sent again, because what an omitted field does is not shown (§4.4). */
export type DeviceChange = {
  readonly groupId?: GroupId;
  readonly exception?: boolean;
  /** Null removes it. */
  readonly customName?: string | null;
  /** The whole list; `tagDevices` adds and removes. */
  readonly tags?: readonly string[];
  readonly addresses?: readonly string[];
};
export type DeviceField = keyof DeviceChange;

export type TagChange = { readonly add: readonly string[]; readonly remove: readonly string[] };
/** What became of one device. */
export type Tagged = { readonly deviceId: DeviceId; readonly outcome: EditOutcome<Checked<Device, 'tags'>> };

export type NewPolicy = {
  readonly name: string;
  readonly type: string;
  readonly notes?: string;
  readonly schedule?: Partial<Policy['schedule']>;
  readonly groupIds?: readonly GroupId[];
  /** Passed through as it is; its shape depends on the type. */
  readonly configuration: Readonly<Record<string, unknown>>;
};
export type PolicyChange = Partial<NewPolicy>;
export type PolicyField = keyof NewPolicy;

/** The writes beside commands. Each is sent at most once. */
export type FleetEditor = {
  readonly createGroup: (group: NewGroup) => Promise<EditOutcome<CreatedGroup>>;
  readonly updateGroup: (
    id: GroupId,
    change: GroupChange,
  ) => Promise<EditOutcome<Checked<Group, GroupField>>>;
  /** Its devices move to the Default Group. */
  readonly deleteGroup: (id: GroupId) => Promise<EditOutcome<null>>;
  readonly updateDevice: (
    id: DeviceId,
    change: DeviceChange,
  ) => Promise<EditOutcome<Checked<Device, DeviceField>>>;
  /** Tags of many devices: by the live batch endpoint where the dialect has it, else one device after the other. */
  readonly tagDevices: (ids: readonly DeviceId[], change: TagChange) => Promise<readonly Tagged[]>;
  /** Irreversible; a live agent registers again as another device. */
  readonly deleteDevice: (id: DeviceId) => Promise<EditOutcome<null>>;
  /** The service answers without an id, so the policy is found by name; null where that was not possible. */
  readonly createPolicy: (policy: NewPolicy) => Promise<EditOutcome<Policy | null>>;
  readonly updatePolicy: (
    id: PolicyId,
    change: PolicyChange,
  ) => Promise<EditOutcome<Checked<Policy, PolicyField>>>;
  /** Every device of the policy at once: apart from the command to one device, so that neither is the other by mistake. */
  readonly remediateEverywhere: (id: PolicyId) => Promise<EditOutcome<null>>;
};
