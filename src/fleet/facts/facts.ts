/** What an approver sees, and the seal covers, of a device, a group or a policy. Pure. */
import { z } from 'zod';
import {
  deviceField,
  groupField,
  instantField,
  nullableFlag,
  nullableNumber,
  nullableText,
  policyField,
  queueEntryField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import { policySettings } from '../model/policy.ts';
import { policyFacts } from '../model/policy-status.ts';
import { type Device, displayName } from '../model/resources.ts';

const texts = z.array(z.string());

/** A policy as people know it, with what an approver's seal covers of it. */
const namedPolicy = z.object({
  id: policyField,
  /** Null: the service knows no policy with this number. */
  name: nullableText,
  /** Digest of what runs and when, for a policy that comes to apply; absent for one that does already, or goes. */
  digest: nullableText.exactOptional(),
});
export type NamedPolicy = Stored<typeof namedPolicy>;
const namedPolicies = z.array(namedPolicy);

const packageFactsSchema = z.object({
  name: z.string(),
  version: nullableText,
  severity: nullableText,
  cves: texts,
  requiresReboot: z.boolean(),
});
export type PackageFacts = Stored<typeof packageFactsSchema>;

const deviceFacts = z.object({
  deviceId: deviceField,
  /** Another machine may take the id over. The serial number is personal data: compared, and shown nowhere. */
  identity: z.object({ serial: nullableText, uuid: nullableText, created: instantField.nullable() }),
  hostname: z.string(),
  displayName: z.string(),
  groupId: groupField.nullable(),
  groupName: nullableText,
  osFamily: nullableText,
  osName: nullableText,
  osVersion: nullableText,
  /** For rules, which are asked again at the send; absent: the service does not say. */
  tags: texts.exactOptional(),
  connected: nullableFlag,
  lastDisconnectTime: instantField.nullable(),
  lastLoggedInUser: nullableText,
  pendingPatches: nullableNumber,
  needsReboot: nullableFlag,
  /** The missing packages that the command installs; otherwise empty. */
  packages: z.array(packageFactsSchema),
  /** Excluded from reports; absent: not. */
  exception: z.literal(true).exactOptional(),
  /** Its users put off patches or a restart; absent: not. */
  deferred: z.literal(true).exactOptional(),
  /** Of the command's policy; null for commands without one. */
  policy: policyFacts.nullable(),
  /** The fields that an edit may change, as they are; null when nothing is edited. */
  editable: z
    .object({
      customName: nullableText,
      exception: nullableFlag,
      tags: texts,
      addresses: texts,
      /** Name of the group to move to; null when the device stays, or when no such group is known. */
      intoGroup: nullableText,
      /** Those that apply because of the edit: of the group to move to, or by tags. Absent: it names no group and no tags. */
      policies: namedPolicies.exactOptional(),
    })
    .nullable(),
  /** What goes with it, where it is to be removed. */
  removal: z
    .object({
      policies: namedPolicies,
      /** Commands in its queue that it has not answered. */
      queued: z.array(z.object({ id: queueEntryField, type: z.string() })),
    })
    .exactOptional(),
  asOf: instantField,
});
export type DeviceFacts = Stored<typeof deviceFacts>;
export type EditableFields = NonNullable<DeviceFacts['editable']>;
/** Facts that the device's own record does not hold. Without a policy, or fields that an edit may change, those are null. */
export type AdditionalFacts = Pick<DeviceFacts, 'groupName' | 'packages' | 'asOf'> &
  Partial<Pick<DeviceFacts, 'policy' | 'editable' | 'removal'>>;

const groupRemoval = z.object({
  /** Without subgroups. `listed` has fewer than `count` where not all could be read. */
  devices: z.object({
    count: wholeNumber,
    listed: z.array(z.object({ id: deviceField, name: z.string() })),
  }),
  subgroups: z.array(z.object({ id: groupField, name: z.string() })),
  /** Those of the Default Group, where its devices go. */
  policiesAfter: namedPolicies,
});
export type GroupRemovalFacts = Stored<typeof groupRemoval>;

/** The facts about a group that is to be created, changed or removed. No device belongs to them. */
const groupFacts = z.object({
  deviceId: z.null(),
  /** Null: it is to be created. */
  groupId: groupField.nullable(),
  displayName: z.string(),
  /** The group as it is, with the names of what it refers to; null when it is to be created. */
  group: z
    .object({
      name: z.string(),
      parentId: groupField.nullable(),
      parentName: nullableText,
      refreshIntervalMinutes: nullableNumber,
      color: nullableText,
      notes: nullableText,
      osAutoUpdate: nullableFlag,
      wsus: z.object({ managed: nullableFlag, server: nullableText }).nullable(),
      /** Names are read only where the edit changes the policies. */
      policies: namedPolicies,
      deviceCount: nullableNumber,
    })
    .nullable(),
  /** Name of the parent that the edit sets; null when it sets none, or none that is known. */
  parentName: nullableText,
  policies: namedPolicies,
  /** Another group with the wanted name below the wanted parent. */
  twin: groupField.nullable(),
  /** Digest of which devices are in it, from the index. Absent: of a new one. */
  members: z.string().exactOptional(),
  /** What goes with it, where it is to be removed. */
  removal: groupRemoval.exactOptional(),
  asOf: instantField,
});
export type GroupFacts = Stored<typeof groupFacts>;
export type GroupSnapshot = NonNullable<GroupFacts['group']>;

/** `name` null: the service knows no group with this number. `devices` null: it does not say. */
const namedGroup = z.object({ id: groupField, name: nullableText, devices: nullableNumber });
export type NamedGroup = Stored<typeof namedGroup>;

/** No device belongs to them. */
const policyEditFacts = z.object({
  deviceId: z.null(),
  /** Null: it is to be created. */
  policyId: policyField.nullable(),
  displayName: z.string(),
  /** The policy as it is, with the names of its groups; null when it is to be created. */
  current: z
    .object({
      name: z.string(),
      type: nullableText,
      notes: nullableText,
      schedule: z.object({
        days: nullableNumber,
        weeksOfMonth: nullableNumber,
        months: nullableNumber,
        time: nullableText,
        timezone: nullableText,
      }),
      settings: policySettings,
      digest: nullableText,
      groups: z.array(namedGroup),
    })
    .nullable(),
  /** The groups that the edit sets. */
  groups: z.array(namedGroup),
  /** Devices in the groups that it has afterwards; null where the service does not say. */
  devices: nullableNumber,
  /** The same for all of its groups. */
  members: z.string().exactOptional(),
  /** Another policy with the wanted name. */
  twin: policyField.nullable(),
  asOf: instantField,
});
export type PolicyEditFacts = Stored<typeof policyEditFacts>;
export type PolicySnapshot = NonNullable<PolicyEditFacts['current']>;

/** The facts about one target: a device, or a group or policy, which has no device id. */
export type TargetFacts = DeviceFacts | GroupFacts | PolicyEditFacts;
export const targetFactsSchema: z.ZodType<TargetFacts> = z.union([deviceFacts, groupFacts, policyEditFacts]);

/** The facts about `device`. Only this function chooses them. */
export function toDeviceFacts(device: Device, additional: AdditionalFacts): DeviceFacts {
  return {
    deviceId: device.id,
    identity: { serial: device.serialNumber, uuid: device.uuid, created: device.createTime },
    hostname: device.name,
    displayName: displayName(device),
    groupId: device.groupId,
    osFamily: device.osFamily,
    osName: device.osName,
    osVersion: device.osVersion,
    ...(device.tags === null ? {} : { tags: device.tags }),
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

export function isPolicyFacts(facts: TargetFacts): facts is PolicyEditFacts {
  return 'policyId' in facts;
}

/** The policies that would run because of the request, and of which the service does not show what they run. */
export function hiddenPolicies(facts: TargetFacts): readonly Pick<NamedPolicy, 'name' | 'digest'>[] {
  return runningPolicies(facts).filter(({ digest }) => digest === null);
}

function runningPolicies(facts: TargetFacts): readonly Pick<NamedPolicy, 'name' | 'digest'>[] {
  if (isPolicyFacts(facts)) return facts.current === null ? [] : [facts.current];
  if (facts.deviceId === null) return [...facts.policies, ...(facts.removal?.policiesAfter ?? [])];
  return [...(facts.policy === null ? [] : [facts.policy]), ...(facts.editable?.policies ?? [])];
}

/** `form`: the same for values that say the same. `isOrdered`: a list whose order people are shown. */
type SealedField = { readonly value: unknown; readonly form: string; readonly isOrdered: boolean };

/**
 * When it was read says nothing about the thing; a group may be renamed, or not be named for a moment; what tags ask for is
 * asked again by the rules.
 */
const UNSEALED: ReadonlySet<string> = new Set(['asOf', 'groupName', 'tags']);

/** By its path. The seal and the comparison before sending walk these, so a new fact is in both by itself. */
export function sealedFields(facts: TargetFacts): ReadonlyMap<string, SealedField> {
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
