/** What can be changed through the service beside commands to devices (§4.1, §4.4, §4.10): types only. */
import type { DeviceId, GroupId, PolicyId } from '../../lib/ids.ts';
import type { FleetError, UnsentWrite } from '../fleet.ts';
import type { Policy } from './policy.ts';
import type { Device, Group } from './resources.ts';

/** What became of a write. */
export type EditOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  /** Stopped before it was sent, because changes are paused or that could not be read. */
  | { readonly kind: 'withheld' }
  | UnsentWrite
  /** Certainly not carried out; `invalid` with status null where Patchbay itself turned it down. */
  | { readonly kind: 'refused'; readonly error: FleetError }
  /** It may have happened: the answer was lost. Never sent again by itself. */
  | { readonly kind: 'unknown'; readonly error: FleetError };

/** What reading back says about the fields of a change. */
export type ReadBackFindings<Field extends string> = {
  /** They read otherwise than they were sent. */
  readonly notApplied: readonly Field[];
  /** They were sent, and the service does not show them. */
  readonly unconfirmed: readonly Field[];
  /** Nobody asked to change them here, and they read otherwise than before: someone else's change, or a side effect. */
  readonly alsoChanged: readonly Field[];
};

/**
 * A change that the service took, as it reads afterwards. `after` is null where it could not be read back; then
 * every field that was sent is unconfirmed.
 */
export type AppliedChange<T, Field extends string> = ReadBackFindings<Field> & { readonly after: T | null };

export type NewGroup = {
  readonly name: string;
  /** 360 to 1440 (documented), 240 to 1440 (live). */
  readonly refreshIntervalMinutes: number;
  /** The Default Group's id makes it top-level. */
  readonly parentId: GroupId;
  /** `#RRGGBB`, or one of the nine names of `colors.ts`. */
  readonly color?: string;
  readonly notes?: string;
  /** Null keeps the devices' own setting. */
  readonly osAutoUpdate?: boolean | null;
  /** True forces WSUS, false the Windows update service, null keeps the setting; `server` is `http://HOST:PORT`. */
  readonly wsus?: { readonly enabled: boolean | null; readonly server?: string };
  readonly policyIds?: readonly PolicyId[];
};

/** The answer echoes neither `wsus` nor `policyIds` (§4.1): those are known to be sent, not to be set. */
export type CreatedGroup = { readonly group: Group } & Omit<ReadBackFindings<GroupField>, 'alsoChanged'>;
export type GroupField = keyof NewGroup;
/** Only what is given changes. `wsus` without a server keeps the one that is set while WSUS stays forced. */
export type GroupChange = Partial<NewGroup>;

/** Only what is given changes; the rest is read and sent again, because what an omitted field does is not shown (§4.4). */
export type DeviceChange = {
  readonly groupId?: GroupId;
  readonly exception?: boolean;
  /** Null removes it. */
  readonly customName?: string | null;
  /** The whole list. */
  readonly tags?: readonly string[];
  /** Added to and taken from the list as it is when the change is made; `tags` goes before it. */
  readonly retag?: TagChange;
  readonly addresses?: readonly string[];
};
/** Both ways to change the tags change one field. */
export type DeviceField = Exclude<keyof DeviceChange, 'retag'>;
/** Any field that an edit of a device or a group may change. */
export type EditedField = DeviceField | GroupField;

export type TagChange = { readonly add: readonly string[]; readonly remove: readonly string[] };
/** What became of one device. */
export type TagResult = {
  readonly deviceId: DeviceId;
  readonly outcome: EditOutcome<AppliedChange<Device, 'tags'>>;
};

export type NewPolicy = {
  readonly name: string;
  readonly type: string;
  readonly notes?: string;
  readonly schedule?: Partial<Policy['schedule']>;
  readonly groupIds?: readonly GroupId[];
  /** Passed through as it is; its shape depends on the type. In a change only the keys that are given change. */
  readonly configuration: Readonly<Record<string, unknown>>;
};
export type PolicyChange = Partial<NewPolicy>;
export type PolicyField = keyof NewPolicy;

/** The writes beside commands, each sent at most once, and the reads that look for one whose answer was lost. */
export type FleetEditor = {
  /** The device beside what was wanted of it. Throws FleetFailure. */
  readonly checkDevice: (id: DeviceId, change: DeviceChange) => Promise<AppliedChange<Device, DeviceField>>;
  /** The same of a group. */
  readonly checkGroup: (id: GroupId, change: GroupChange) => Promise<AppliedChange<Group, GroupField>>;
  readonly createGroup: (group: NewGroup) => Promise<EditOutcome<CreatedGroup>>;
  readonly updateGroup: (
    id: GroupId,
    change: GroupChange,
  ) => Promise<EditOutcome<AppliedChange<Group, GroupField>>>;
  /** Its devices move to the Default Group. */
  readonly deleteGroup: (id: GroupId) => Promise<EditOutcome<null>>;
  readonly updateDevice: (
    id: DeviceId,
    change: DeviceChange,
  ) => Promise<EditOutcome<AppliedChange<Device, DeviceField>>>;
  /** Tags of many devices: by the live batch endpoint where the dialect has it, else one device after the other. */
  readonly tagDevices: (ids: readonly DeviceId[], change: TagChange) => Promise<readonly TagResult[]>;
  /** Irreversible; a live agent registers again as another device. */
  readonly deleteDevice: (id: DeviceId) => Promise<EditOutcome<null>>;
  /** The service answers without an id, so the policy is found by name; null where that was not possible. */
  readonly createPolicy: (policy: NewPolicy) => Promise<EditOutcome<Policy | null>>;
  readonly updatePolicy: (
    id: PolicyId,
    change: PolicyChange,
  ) => Promise<EditOutcome<AppliedChange<Policy, PolicyField>>>;
  /** Every device of the policy at once, in the live dialect only: apart from the command to one device, so that neither is the other by mistake. */
  readonly remediateEverywhere: (id: PolicyId) => Promise<EditOutcome<null>>;
};
