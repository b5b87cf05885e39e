/** What an approver sees, and the seal covers, of a device, a group or a policy. Pure. */
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId, PolicyId, QueueEntryId } from '../../lib/ids.ts';
import type { Policy } from '../model/policy.ts';
import type { PolicyFacts } from '../model/policy-status.ts';
import { type Device, displayName, type Group, type Package } from '../model/resources.ts';

type CopiedFields = Pick<
  Device,
  | 'groupId'
  | 'osFamily'
  | 'osName'
  | 'osVersion'
  | 'connected'
  | 'lastDisconnectTime'
  | 'lastLoggedInUser'
  | 'pendingPatches'
  | 'needsReboot'
>;

/** Facts that the device's own record does not hold. */
export type AdditionalFacts = {
  /** Name of the group that the device is in now. */
  readonly groupName: string | null;
  /** The missing packages that the command installs; otherwise empty. */
  readonly packages: readonly PackageFacts[];
  /** Facts about the command's policy. Absent: the command has no policy. */
  readonly policy?: PolicyFacts | null;
  /** The fields that an edit may change. Absent: nothing is edited. */
  readonly editable?: EditableFields | null;
  /** What goes with the device, where it is to be removed. */
  readonly removal?: DeviceRemovalFacts;
  readonly asOf: Instant;
};

/** Which machine the record is about, as far as the service states it: another one may take its id over. */
export type MachineIdentity = {
  readonly serial: string | null;
  readonly uuid: string | null;
  readonly created: Instant | null;
};

/** What is unusual about a device; absent where it is not. */
type UnusualFacts = {
  /** Excluded from reports. */
  readonly exception?: true;
  /** Its users put off patches or a restart. */
  readonly deferred?: true;
};

export type SealedDeviceFacts = CopiedFields &
  UnusualFacts &
  Required<Omit<AdditionalFacts, 'removal'>> &
  Pick<AdditionalFacts, 'removal'> & {
    readonly deviceId: DeviceId;
    /** Its serial number is personal data: it is compared, and shown nowhere. */
    readonly identity: MachineIdentity;
    readonly hostname: string;
    readonly displayName: string;
  };

/** The facts about `device`. Only this function chooses them. */
export function toDeviceFacts(device: Device, additional: AdditionalFacts): SealedDeviceFacts {
  return {
    deviceId: device.id,
    identity: { serial: device.serialNumber, uuid: device.uuid, created: device.createTime },
    hostname: device.name,
    displayName: displayName(device),
    groupId: device.groupId,
    osFamily: device.osFamily,
    osName: device.osName,
    osVersion: device.osVersion,
    connected: device.connected,
    lastDisconnectTime: device.lastDisconnectTime,
    lastLoggedInUser: device.lastLoggedInUser,
    pendingPatches: device.pendingPatches,
    needsReboot: device.needsReboot,
    ...(device.exception === true ? { exception: true } : {}),
    ...(isDeferred(device) ? { deferred: true } : {}),
    ...additional,
    policy: additional.policy ?? null,
    editable: additional.editable ?? null,
  };
}

function isDeferred({ deferrals }: Device): boolean {
  const { patchDeferrals, rebootDeferrals, delayedByUser, rebootDelayedByUser } = deferrals;
  const times = (patchDeferrals ?? 0) + (rebootDeferrals ?? 0);
  return times > 0 || delayedByUser === true || rebootDelayedByUser === true;
}

export type PackageFacts = Pick<Package, 'name' | 'version' | 'severity' | 'cves' | 'requiresReboot'>;

/** What is known of these packages, by machine name. */
export function packageFacts(items: readonly PackageFacts[]): readonly PackageFacts[] {
  return items
    .map(({ name, version, severity, cves, requiresReboot }) => ({
      name,
      version,
      severity,
      cves,
      requiresReboot,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Machine names, each once: several versions of a package may be missing. */
export function packageNames(packages: readonly PackageFacts[]): readonly string[] {
  return [...new Set(packages.map(({ name }) => name))].toSorted();
}

/** A policy as people know it, with what an approver's seal covers of it. */
export type NamedPolicy = {
  readonly id: PolicyId;
  /** Null: the service knows no policy with this number. */
  readonly name: string | null;
  /** Digest of what runs and when, for a policy that comes to apply; absent for one that does already, or goes. */
  readonly digest?: string | null;
};

/** The policy by its id, with its name where these name it. */
export function policyNamesIn(policies: readonly Pick<Policy, 'id' | 'name'>[]) {
  const names = new Map(policies.map(({ id, name }) => [id, name]));
  return (id: PolicyId): NamedPolicy => ({ id, name: names.get(id) ?? null });
}

/** The same for a policy that comes to apply, with the digest of what it runs; one that is not known runs nothing. */
export function newPoliciesIn(policies: readonly Pick<Policy, 'id' | 'name' | 'digest'>[]) {
  const known = new Map(policies.map(({ id, name, digest }) => [id, { id, name, digest }]));
  return (id: PolicyId): NamedPolicy => known.get(id) ?? { id, name: null };
}

/** The fields of a device that an edit may change, as they are. */
export type EditableFields = {
  readonly customName: string | null;
  readonly exception: boolean | null;
  readonly tags: readonly string[];
  readonly addresses: readonly string[];
  /** Name of the group to move to; null when the device stays, or when no such group is known. */
  readonly intoGroup: string | null;
  /** Those that apply because of the edit: of the group to move to, or by tags. Absent: it names no group and no tags. */
  readonly policies?: readonly NamedPolicy[];
};

/** A group as it is, with the names of what it refers to. */
export type GroupSnapshot = Pick<
  Group,
  'name' | 'parentId' | 'refreshIntervalMinutes' | 'color' | 'notes' | 'osAutoUpdate' | 'wsus' | 'deviceCount'
> & {
  readonly parentName: string | null;
  /** Names are read only where the edit changes the policies. */
  readonly policies: readonly NamedPolicy[];
};

/** The facts about a group that is to be created, changed or removed. No device belongs to them. */
export type GroupFacts = {
  readonly deviceId: null;
  /** Null: it is to be created. */
  readonly groupId: GroupId | null;
  readonly displayName: string;
  /** The group as it is; null when it is to be created. */
  readonly group: GroupSnapshot | null;
  /** Name of the parent that the edit sets; null when it sets none, or none that is known. */
  readonly parentName: string | null;
  readonly policies: readonly NamedPolicy[];
  /** Another group with the wanted name below the wanted parent. */
  readonly twin: GroupId | null;
  /** What goes with it, where it is to be removed. */
  readonly removal?: GroupRemovalFacts;
  readonly asOf: Instant;
};

export type DeviceRemovalFacts = {
  readonly policies: readonly NamedPolicy[];
  /** Commands in its queue that it has not answered. */
  readonly queued: readonly { readonly id: QueueEntryId; readonly type: string }[];
};

export type GroupRemovalFacts = {
  /** Without subgroups. `listed` has fewer than `count` where not all could be read. */
  readonly devices: {
    readonly count: number;
    readonly listed: readonly { readonly id: DeviceId; readonly name: string }[];
  };
  readonly subgroups: readonly { readonly id: GroupId; readonly name: string }[];
  /** Those of the Default Group, where its devices go. */
  readonly policiesAfter: readonly NamedPolicy[];
};

/** Null: the service knows no group with this number. */
export type NamedGroup = {
  readonly id: GroupId;
  readonly name: string | null;
  /** Null: the service does not say. */
  readonly devices: number | null;
};

/** A policy as it is, with the names of its groups. */
export type PolicySnapshot = Pick<Policy, 'name' | 'type' | 'notes' | 'schedule' | 'settings' | 'digest'> & {
  readonly groups: readonly NamedGroup[];
};

/** No device belongs to them. */
export type PolicyEditFacts = {
  readonly deviceId: null;
  /** Null: it is to be created. */
  readonly policyId: PolicyId | null;
  readonly displayName: string;
  /** Null when it is to be created. */
  readonly current: PolicySnapshot | null;
  /** The groups that the edit sets. */
  readonly groups: readonly NamedGroup[];
  /** Devices in the groups that it has afterwards; null where the service does not say. */
  readonly devices: number | null;
  /** Another policy with the wanted name. */
  readonly twin: PolicyId | null;
  readonly asOf: Instant;
};

/** The facts of one target, whatever it is. */
export type EditFacts = SealedDeviceFacts | GroupFacts | PolicyEditFacts;

export function isPolicyFacts(facts: EditFacts): facts is PolicyEditFacts {
  return 'policyId' in facts;
}

/** The policies that would run because of the request, and of which the service does not show what they run. */
export function hiddenPolicies(facts: EditFacts): readonly Pick<NamedPolicy, 'name' | 'digest'>[] {
  return runningPolicies(facts).filter(({ digest }) => digest === null);
}

function runningPolicies(facts: EditFacts): readonly Pick<NamedPolicy, 'name' | 'digest'>[] {
  if (isPolicyFacts(facts)) return facts.current === null ? [] : [facts.current];
  if (facts.deviceId === null) return [...facts.policies, ...(facts.removal?.policiesAfter ?? [])];
  return [...(facts.policy === null ? [] : [facts.policy]), ...(facts.editable?.policies ?? [])];
}

/** `form`: the same for values that say the same. `isOrdered`: a list whose order people are shown. */
type SealedField = { readonly value: unknown; readonly form: string; readonly isOrdered: boolean };

/** When it was read says nothing about the thing; a group may be renamed, or not be named for a moment. */
const UNSEALED: ReadonlySet<string> = new Set(['asOf', 'groupName']);

/**
 * Each field by its path, such as `editable.tags`. The seal and the comparison before sending both walk these, so a new
 * fact is sealed and compared without being named anywhere.
 */
export function sealedFields(facts: EditFacts): ReadonlyMap<string, SealedField> {
  const fields = new Map<string, SealedField>();
  const open: [path: string, value: unknown][] = Object.entries(facts).filter(([key]) => !UNSEALED.has(key));
  for (const [path, value] of open) {
    const isOrdered = path.includes('.settings.');
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      open.push(...Object.entries(value).map(([key, inner]): [string, unknown] => [`${path}.${key}`, inner]));
    else if (value !== undefined)
      fields.set(path, { value, form: JSON.stringify(canonical(value, isOrdered)), isOrdered });
  }
  return fields;
}

/** Whether the field at this path is `field`, or a part of it. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/**
 * One form for values that say the same: keys in order, and lists sorted and without repetition, because all of them
 * name things and the service keeps no order of those: tags, addresses, packages, CVEs, policies, groups, devices. Only
 * the settings of a policy hold lists whose order people are shown. Records and actions are never deep.
 */
export function canonical(value: unknown, isOrdered = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, isOrdered));
    return isOrdered ? items : [...new Set(items.map((item) => JSON.stringify(item)))].toSorted();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, canonical(item, isOrdered || key === 'settings')]);
}
