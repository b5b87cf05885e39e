/** Stored actions, and the facts about their targets. */
import { z } from 'zod';
import type {
  DeviceRemovalFacts,
  EditableFields,
  GroupFacts,
  GroupRemovalFacts,
  MachineIdentity,
  PackageFacts,
  PolicyEditFacts,
} from '../../fleet/facts/facts.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type {
  DeviceChange,
  GroupChange,
  NewGroup,
  NewPolicy,
  PolicyChange,
} from '../../fleet/model/changes.ts';
import type { PolicyFacts } from '../../fleet/model/policy-status.ts';
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
import { POLICY_SETTING_NAMES } from './policy-settings.ts';

const texts = z.array(z.string());

const deviceChangeSchema = z.object({
  groupId: groupField.exactOptional(),
  exception: z.boolean().exactOptional(),
  customName: nullableText.exactOptional(),
  tags: texts.exactOptional(),
  retag: z.object({ add: texts, remove: texts }).exactOptional(),
  addresses: texts.exactOptional(),
}) satisfies z.ZodType<DeviceChange>;

const newGroupSchema = z.object({
  name: z.string(),
  refreshIntervalMinutes: wholeNumber,
  parentId: groupField,
  color: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  osAutoUpdate: nullableFlag.exactOptional(),
  wsus: z.object({ enabled: nullableFlag, server: z.string().exactOptional() }).exactOptional(),
  policyIds: z.array(policyField).exactOptional(),
}) satisfies z.ZodType<NewGroup>;

const { name, refreshIntervalMinutes, parentId } = newGroupSchema.shape;
const groupChangeSchema = newGroupSchema.extend({
  name: name.exactOptional(),
  refreshIntervalMinutes: refreshIntervalMinutes.exactOptional(),
  parentId: parentId.exactOptional(),
}) satisfies z.ZodType<GroupChange>;

const settingsSchema = z.partialRecord(
  z.enum(POLICY_SETTING_NAMES),
  z.union([z.boolean(), z.number(), z.string(), z.array(z.number())]),
);
const policyChangeSchema = z.object({
  name: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  groupIds: z.array(groupField).exactOptional(),
  days: wholeNumber.exactOptional(),
  weeksOfMonth: wholeNumber.exactOptional(),
  months: wholeNumber.exactOptional(),
  time: z.string().exactOptional(),
  timezone: z.string().exactOptional(),
  settings: settingsSchema.exactOptional(),
}) satisfies z.ZodType<PolicyChange>;
const newPolicySchema = policyChangeSchema.extend({
  name: z.string(),
  severities: texts,
}) satisfies z.ZodType<NewPolicy>;

const commandPolicyFields = { policyId: policyField, policyName: z.string().exactOptional() };

const chosenSchema = z.object({ severities: texts, named: texts });

export const actionSchema: z.ZodType<FleetAction> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scan') }),
  z.object({ kind: z.literal('reboot') }),
  z.object({ kind: z.literal('patch-all') }),
  z.object({
    kind: z.literal('patch'),
    packages: texts,
    chosen: chosenSchema.exactOptional(),
  }),
  z.object({ kind: z.literal('patch-each'), chosen: chosenSchema.nullable() }),
  z.object({ kind: z.literal('policy-test'), ...commandPolicyFields }),
  z.object({ kind: z.literal('policy-remediate'), ...commandPolicyFields }),
  z.object({ kind: z.literal('device-edit'), change: deviceChangeSchema }),
  z.object({ kind: z.literal('group-create'), group: newGroupSchema }),
  z.object({ kind: z.literal('group-edit'), groupId: groupField, change: groupChangeSchema }),
  z.object({ kind: z.literal('policy-create'), policy: newPolicySchema }),
  z.object({ kind: z.literal('policy-edit'), policyId: policyField, change: policyChangeSchema }),
  z.object({ kind: z.literal('device-remove') }),
  z.object({ kind: z.literal('group-remove'), groupId: groupField }),
]);

const namedPoliciesSchema = z.array(
  z.object({
    id: policyField,
    name: nullableText,
    digest: nullableText.exactOptional(),
  }),
);

const deviceRemovalSchema = z.object({
  policies: namedPoliciesSchema,
  queued: z.array(z.object({ id: queueEntryField, type: z.string() })),
}) satisfies z.ZodType<DeviceRemovalFacts>;

const groupRemovalSchema = z.object({
  devices: z.object({
    count: wholeNumber,
    listed: z.array(z.object({ id: deviceField, name: z.string() })),
  }),
  subgroups: z.array(z.object({ id: groupField, name: z.string() })),
  policiesAfter: namedPoliciesSchema,
}) satisfies z.ZodType<GroupRemovalFacts>;

/** The facts about a device that an approver sees and that are read again before acting. */
const deviceFactsSchema = z.object({
  deviceId: deviceField,
  identity: z.object({
    serial: nullableText,
    uuid: nullableText,
    created: instantField.nullable(),
  }) satisfies z.ZodType<MachineIdentity>,
  /** Hostname, which is part of the seal. */
  hostname: z.string(),
  displayName: z.string(),
  groupId: groupField.nullable(),
  groupName: nullableText,
  osFamily: nullableText,
  osName: nullableText,
  osVersion: nullableText,
  connected: nullableFlag,
  lastDisconnectTime: instantField.nullable(),
  lastLoggedInUser: nullableText,
  pendingPatches: nullableNumber,
  needsReboot: nullableFlag,
  /** The missing packages that the command installs; otherwise empty. */
  packages: z.array(
    z.object({
      name: z.string(),
      version: nullableText,
      severity: nullableText,
      cves: texts,
      requiresReboot: z.boolean(),
    }) satisfies z.ZodType<PackageFacts>,
  ),
  /** Excluded from reports; absent: not. */
  exception: z.literal(true).exactOptional(),
  /** Its users put off patches or a restart; absent: not. */
  deferred: z.literal(true).exactOptional(),
  /** Of the command's policy; null for commands without one. */
  policy: (
    z.object({
      name: nullableText,
      type: nullableText,
      status: nullableNumber,
      digest: nullableText,
    }) satisfies z.ZodType<PolicyFacts>
  ).nullable(),
  /** The fields that an edit may change, as they are; null when nothing is edited. */
  editable: (
    z.object({
      customName: nullableText,
      exception: nullableFlag,
      tags: texts,
      addresses: texts,
      intoGroup: nullableText,
      policies: namedPoliciesSchema.exactOptional(),
    }) satisfies z.ZodType<EditableFields>
  ).nullable(),
  /** What goes with it, where it is to be removed. */
  removal: deviceRemovalSchema.exactOptional(),
  asOf: instantField,
});
export type DeviceFacts = Stored<typeof deviceFactsSchema>;

const groupFactsSchema = z.object({
  deviceId: z.null(),
  groupId: groupField.nullable(),
  displayName: z.string(),
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
      policies: namedPoliciesSchema,
      deviceCount: nullableNumber,
    })
    .nullable(),
  parentName: nullableText,
  policies: namedPoliciesSchema,
  twin: groupField.nullable(),
  removal: groupRemovalSchema.exactOptional(),
  asOf: instantField,
}) satisfies z.ZodType<GroupFacts>;

const namedGroupsSchema = z.array(z.object({ id: groupField, name: nullableText, devices: nullableNumber }));

const policyFactsSchema = z.object({
  deviceId: z.null(),
  policyId: policyField.nullable(),
  displayName: z.string(),
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
      settings: settingsSchema,
      digest: nullableText,
      groups: namedGroupsSchema,
    })
    .nullable(),
  groups: namedGroupsSchema,
  devices: nullableNumber,
  twin: policyField.nullable(),
  asOf: instantField,
}) satisfies z.ZodType<PolicyEditFacts>;

/** The facts about one target: a device, or a group or policy, which has no device id. */
export type TargetFacts = DeviceFacts | GroupFacts | PolicyEditFacts;

export const targetFactsSchema: z.ZodType<TargetFacts> = z.union([
  deviceFactsSchema,
  groupFactsSchema,
  policyFactsSchema,
]);
