/** How changes other than by commands to devices are made and what they come to (§4.1, §4.4, §4.10): types only. */
import type { DeviceId, GroupId, PolicyId } from '../../lib/ids.ts';
import type { FleetError, UnsentWrite, WriteOptions } from '../fleet.ts';
import type {
  DeviceChange,
  DeviceField,
  GroupChange,
  GroupField,
  NewGroup,
  NewPolicy,
  PolicyChange,
  PolicyField,
  TagChange,
} from './changes.ts';
import type { Policy } from './policy.ts';
import type { Device, Group } from './resources.ts';

export type EditOutcome<T> =
  | { readonly kind: 'done'; readonly result: T }
  /** Stopped before it was sent: changes are paused, that could not be read just now, or the caller's options said no. */
  | { readonly kind: 'withheld' }
  | UnsentWrite
  /** Certainly not carried out; `invalid` with status null where Patchbay itself turned it down. */
  | { readonly kind: 'refused'; readonly error: FleetError }
  /** It may have happened: the answer was lost. Never sent again automatically. */
  | { readonly kind: 'unknown'; readonly error: FleetError };

/** What reading back shows about the fields of a change. */
export type ReadBackFindings<Field extends string> = {
  /** They read differently than they were sent. */
  readonly notApplied: readonly Field[];
  /** They were sent, and the service does not show them. */
  readonly unconfirmed: readonly Field[];
  /** This change did not set them, and they read differently than before: someone else's change, or a side effect. */
  readonly alsoChanged: readonly Field[];
};

/**
 * A change that the service accepted, as it reads afterwards. `after` is null when it could not be read back; then
 * every field that was sent is unconfirmed.
 */
export type AppliedChange<T, Field extends string> = ReadBackFindings<Field> & { readonly after: T | null };

/** The answer echoes neither `wsus` nor `policyIds` (§4.1): those are known to have been sent, not to be set. */
export type CreatedGroup = { readonly group: Group } & Omit<ReadBackFindings<GroupField>, 'alsoChanged'>;

export type TagResult = {
  readonly deviceId: DeviceId;
  readonly outcome: EditOutcome<AppliedChange<Device, 'tags'>>;
};

/** What reading shows after a removal that the service took. `gone` false: it still shows the thing, or can't be read. */
export type Removed = { readonly gone: boolean };

/** The writes other than commands, each sent at most once, and the reads that check one whose answer was lost. */
export type FleetEditor = {
  /** Compares with the wanted change, as the next two do. Throws FleetFailure. */
  readonly checkDevice: (id: DeviceId, change: DeviceChange) => Promise<AppliedChange<Device, DeviceField>>;
  readonly checkGroup: (id: GroupId, change: GroupChange) => Promise<AppliedChange<Group, GroupField>>;
  readonly checkPolicy: (id: PolicyId, change: PolicyChange) => Promise<AppliedChange<Policy, PolicyField>>;
  readonly createGroup: (group: NewGroup, options?: WriteOptions) => Promise<EditOutcome<CreatedGroup>>;
  readonly updateGroup: (
    id: GroupId,
    change: GroupChange,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Group, GroupField>>>;
  /** Its devices move to the Default Group. */
  readonly deleteGroup: (id: GroupId, options?: WriteOptions) => Promise<EditOutcome<Removed>>;
  readonly updateDevice: (
    id: DeviceId,
    change: DeviceChange,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Device, DeviceField>>>;
  /**
   * Tags of many devices through the live batch endpoint, which takes 500 at once. Null: the service has no such
   * endpoint, and nothing was changed.
   */
  readonly tagDevices: (
    ids: readonly DeviceId[],
    change: TagChange,
    options?: WriteOptions,
  ) => Promise<readonly TagResult[] | null>;
  /** Irreversible; a live agent registers again as another device. */
  readonly deleteDevice: (id: DeviceId, options?: WriteOptions) => Promise<EditOutcome<Removed>>;
  /** The service answers without an id, so the policy is found by its name and read back. */
  readonly createPolicy: (
    policy: NewPolicy,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Policy, PolicyField>>>;
  readonly updatePolicy: (
    id: PolicyId,
    change: PolicyChange,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Policy, PolicyField>>>;
};
