/** What was asked for and about which things, as it comes back from the database. */
import { z } from 'zod';
import { instant } from '../clock.ts';
import type { DeviceChange, GroupChange, NewGroup } from '../fleet/edits.ts';
import type { FleetOrder } from '../fleet/orders.ts';
import { deviceId, groupId, policyId } from '../ids.ts';
import type { DeviceFacts, GroupFacts, TargetFacts } from './records.ts';

const whole = z.int();
const at = whole.transform(instant);
const group = whole.transform(groupId);
const policy = whole.transform(policyId);
const texts = z.array(z.string());
const maybe = z.boolean().nullable();

const deviceChange = z.object({
  groupId: group.exactOptional(),
  exception: z.boolean().exactOptional(),
  customName: z.string().nullable().exactOptional(),
  tags: texts.exactOptional(),
  retag: z.object({ add: texts, remove: texts }).exactOptional(),
  addresses: texts.exactOptional(),
}) satisfies z.ZodType<DeviceChange>;

const newGroup = z.object({
  name: z.string(),
  refreshIntervalMinutes: whole,
  parentId: group,
  color: z.string().exactOptional(),
  notes: z.string().exactOptional(),
  osAutoUpdate: maybe.exactOptional(),
  wsus: z.object({ enabled: maybe, server: z.string().exactOptional() }).exactOptional(),
  policyIds: z.array(policy).exactOptional(),
}) satisfies z.ZodType<NewGroup>;

const { name, refreshIntervalMinutes, parentId } = newGroup.shape;
const groupChange = newGroup.extend({
  name: name.exactOptional(),
  refreshIntervalMinutes: refreshIntervalMinutes.exactOptional(),
  parentId: parentId.exactOptional(),
}) satisfies z.ZodType<GroupChange>;

const commandPolicy = { policyId: policy, policyName: z.string().exactOptional() };

export const order = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('scan') }),
  z.object({ kind: z.literal('reboot') }),
  z.object({ kind: z.literal('patch-all') }),
  z.object({
    kind: z.literal('patch'),
    packages: texts,
    chosen: z.object({ severities: texts, named: texts }).exactOptional(),
  }),
  z.object({ kind: z.literal('policy-test'), ...commandPolicy }),
  z.object({ kind: z.literal('policy-remediate'), ...commandPolicy }),
  z.object({ kind: z.literal('device-edit'), change: deviceChange }),
  z.object({ kind: z.literal('group-create'), group: newGroup }),
  z.object({ kind: z.literal('group-edit'), groupId: group, change: groupChange }),
]) satisfies z.ZodType<FleetOrder>;

/** `policy` is younger than some stored records, its `digest` than some of those, `editable` and `osVersion` than both. */
const deviceFacts = z.object({
  deviceId: whole.transform(deviceId),
  hostname: z.string(),
  displayName: z.string(),
  groupId: group.nullable(),
  groupName: z.string().nullable(),
  osFamily: z.string().nullable(),
  osName: z.string().nullable(),
  osVersion: z.string().nullable().default(null),
  connected: maybe,
  lastDisconnectTime: at.nullable(),
  lastLoggedInUser: z.string().nullable(),
  pendingPatches: z.number().nullable(),
  needsReboot: maybe,
  missing: texts,
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
      exception: maybe,
      tags: texts,
      addresses: texts,
      intoGroup: z.string().nullable(),
    })
    .nullable()
    .default(null),
  asOf: at,
}) satisfies z.ZodType<DeviceFacts>;

const namedPolicies = z.array(
  z.object({ id: policy, name: z.string().nullable(), digest: z.string().nullable().exactOptional() }),
);

const groupFacts = z.object({
  deviceId: z.null(),
  groupId: group.nullable(),
  displayName: z.string(),
  group: z
    .object({
      name: z.string(),
      parentId: group.nullable(),
      parentName: z.string().nullable(),
      refreshIntervalMinutes: z.number().nullable(),
      color: z.string().nullable(),
      notes: z.string().nullable(),
      osAutoUpdate: maybe,
      wsus: z.object({ managed: maybe, server: z.string().nullable() }).nullable(),
      policies: namedPolicies,
      deviceCount: z.number().nullable(),
    })
    .nullable(),
  parentName: z.string().nullable(),
  policies: namedPolicies,
  twin: group.nullable(),
  asOf: at,
}) satisfies z.ZodType<GroupFacts>;

export const targetFacts = z.union([deviceFacts, groupFacts]) satisfies z.ZodType<TargetFacts>;

/** In the key of a target, where nothing may be null: the service numbers devices from 1. */
export const NO_DEVICE = deviceId(0);

/** The device of a target as its row has it. */
export const targetDevice = whole.transform((id) => (id === NO_DEVICE ? null : deviceId(id)));
