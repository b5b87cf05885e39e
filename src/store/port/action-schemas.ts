/** Stored actions. */
import { z } from 'zod';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type {
  DeviceChange,
  GroupChange,
  NewGroup,
  NewPolicy,
  PolicyChange,
} from '../../fleet/model/changes.ts';
import { policySettings } from '../../fleet/model/policy-settings.ts';
import { groupField, nullableFlag, nullableText, policyField, wholeNumber } from '../../lib/record-fields.ts';

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

const policyChangeSchema = z.object({
  name: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  groupIds: z.array(groupField).exactOptional(),
  days: wholeNumber.exactOptional(),
  weeksOfMonth: wholeNumber.exactOptional(),
  months: wholeNumber.exactOptional(),
  time: z.string().exactOptional(),
  timezone: z.string().exactOptional(),
  settings: policySettings.exactOptional(),
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
