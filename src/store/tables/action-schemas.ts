/** Schemas for stored actions and the facts about their targets. */
import { z } from 'zod';
import type { PolicyEditFacts } from '../../fleet/facts/policy-edit-facts.ts';
import type { DeviceRemovalFacts, GroupRemovalFacts } from '../../fleet/facts/removal-facts.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type {
  DeviceChange,
  GroupChange,
  NewGroup,
  NewPolicy,
  PolicyChange,
} from '../../fleet/model/changes.ts';
import { deviceId, groupId, policyId, queueEntryId } from '../../lib/ids.ts';
import { POLICY_SETTING_NAMES } from '../port/policy-settings.ts';
import type { DeviceFacts, GroupFacts, TargetFacts } from '../port/records.ts';
import { instantColumn, wholeNumber } from './row-schemas.ts';

const groupIdSchema = wholeNumber.transform(groupId);
const policyIdSchema = wholeNumber.transform(policyId);
const texts = z.array(z.string());
const nullableFlag = z.boolean().nullable();

const deviceChangeSchema = z.object({
  groupId: groupIdSchema.exactOptional(),
  exception: z.boolean().exactOptional(),
  customName: z.string().nullable().exactOptional(),
  tags: texts.exactOptional(),
  retag: z.object({ add: texts, remove: texts }).exactOptional(),
  addresses: texts.exactOptional(),
}) satisfies z.ZodType<DeviceChange>;

const newGroupSchema = z.object({
  name: z.string(),
  refreshIntervalMinutes: wholeNumber,
  parentId: groupIdSchema,
  color: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  osAutoUpdate: nullableFlag.exactOptional(),
  wsus: z.object({ enabled: nullableFlag, server: z.string().exactOptional() }).exactOptional(),
  policyIds: z.array(policyIdSchema).exactOptional(),
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
  groupIds: z.array(groupIdSchema).exactOptional(),
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

const commandPolicyFields = { policyId: policyIdSchema, policyName: z.string().exactOptional() };

const chosenSchema = z.object({ severities: texts, named: texts });

export const actionSchema = z.discriminatedUnion('kind', [
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
  z.object({ kind: z.literal('group-edit'), groupId: groupIdSchema, change: groupChangeSchema }),
  z.object({ kind: z.literal('policy-create'), policy: newPolicySchema }),
  z.object({ kind: z.literal('policy-edit'), policyId: policyIdSchema, change: policyChangeSchema }),
  z.object({ kind: z.literal('device-remove') }),
  z.object({ kind: z.literal('group-remove'), groupId: groupIdSchema }),
]) satisfies z.ZodType<FleetAction>;

const namedPoliciesSchema = z.array(
  z.object({
    id: policyIdSchema,
    name: z.string().nullable(),
    digest: z.string().nullable().exactOptional(),
  }),
);

const deviceRemovalSchema = z.object({
  policies: namedPoliciesSchema,
  queued: z.array(z.object({ id: wholeNumber.transform(queueEntryId), type: z.string() })),
}) satisfies z.ZodType<DeviceRemovalFacts>;

const groupRemovalSchema = z.object({
  devices: z.object({
    count: wholeNumber,
    listed: z.array(z.object({ id: wholeNumber.transform(deviceId), name: z.string() })),
  }),
  subgroups: z.array(z.object({ id: groupIdSchema, name: z.string() })),
  policiesAfter: namedPoliciesSchema,
}) satisfies z.ZodType<GroupRemovalFacts>;

/** Some stored records lack `policy`, its `digest`, `editable` or `osVersion`, which were added later. */
const deviceFactsSchema = z.object({
  deviceId: wholeNumber.transform(deviceId),
  hostname: z.string(),
  displayName: z.string(),
  groupId: groupIdSchema.nullable(),
  groupName: z.string().nullable(),
  osFamily: z.string().nullable(),
  osName: z.string().nullable(),
  osVersion: z.string().nullable().default(null),
  connected: nullableFlag,
  lastDisconnectTime: instantColumn.nullable(),
  lastLoggedInUser: z.string().nullable(),
  pendingPatches: z.number().nullable(),
  needsReboot: nullableFlag,
  missing: texts,
  rebootFor: texts.exactOptional(),
  exception: z.literal(true).exactOptional(),
  deferred: z.literal(true).exactOptional(),
  policy: z
    .object({
      name: z.string().nullable(),
      type: z.string().nullable(),
      status: z.number().nullable(),
      digest: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  editable: z
    .object({
      customName: z.string().nullable(),
      exception: nullableFlag,
      tags: texts,
      addresses: texts,
      intoGroup: z.string().nullable(),
    })
    .nullable()
    .default(null),
  removal: deviceRemovalSchema.exactOptional(),
  asOf: instantColumn,
}) satisfies z.ZodType<DeviceFacts>;

const groupFactsSchema = z.object({
  deviceId: z.null(),
  groupId: groupIdSchema.nullable(),
  displayName: z.string(),
  group: z
    .object({
      name: z.string(),
      parentId: groupIdSchema.nullable(),
      parentName: z.string().nullable(),
      refreshIntervalMinutes: z.number().nullable(),
      color: z.string().nullable(),
      notes: z.string().nullable(),
      osAutoUpdate: nullableFlag,
      wsus: z.object({ managed: nullableFlag, server: z.string().nullable() }).nullable(),
      policies: namedPoliciesSchema,
      deviceCount: z.number().nullable(),
    })
    .nullable(),
  parentName: z.string().nullable(),
  policies: namedPoliciesSchema,
  twin: groupIdSchema.nullable(),
  removal: groupRemovalSchema.exactOptional(),
  asOf: instantColumn,
}) satisfies z.ZodType<GroupFacts>;

const namedGroupsSchema = z.array(z.object({ id: groupIdSchema, name: z.string().nullable() }));
const nullableNumber = z.number().nullable();
const nullableText = z.string().nullable();

const policyFactsSchema = z.object({
  deviceId: z.null(),
  policyId: policyIdSchema.nullable(),
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
  twin: policyIdSchema.nullable(),
  asOf: instantColumn,
}) satisfies z.ZodType<PolicyEditFacts>;

export const targetFactsSchema = z.union([
  deviceFactsSchema,
  groupFactsSchema,
  policyFactsSchema,
]) satisfies z.ZodType<TargetFacts>;

/** Replaces null in the key of a target, where nothing may be null: the service numbers devices from 1. */
export const NO_DEVICE = deviceId(0);

/** The device of a target from its row. */
export const targetDeviceColumn = wholeNumber.transform((id) => (id === NO_DEVICE ? null : deviceId(id)));
