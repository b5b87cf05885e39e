/** Policies (§4.10): read, create and replace, and run one on devices. */
import { z } from 'zod';
import type { Instant } from '../../../lib/clock.ts';
import { covers, nextRun } from '../world/devices.ts';
import type { WorldDevice, WorldGroup, WorldPolicy } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { enabledFilters, FAMILIES } from './preview.ts';
import {
  booleanField,
  type Call,
  createdResponse,
  forbidden,
  integerField,
  invalid,
  listField,
  noContentResponse,
  nonBlankTextField,
  notFoundResponse,
  oneOfField,
  PageQuery,
  parseBody,
  parseQuery,
  policyOf,
  rangeField,
  requiredField,
  requireGroups,
  selectedField,
  slicePage,
  textField,
  type View,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

export function listPolicies(call: Call): Response {
  const page = slicePage([...call.world.policies.values()], parseQuery(call, PageQuery));
  return Response.json(page.map((policy) => policyJson(policy, call)));
}

export function getPolicy(call: Call): Response {
  return Response.json(policyJson(policyOf(call), call));
}

/** 201 without a body: the new policy is found by its name. */
export function createPolicy(call: Call): Response {
  const { world, now } = call;
  const body = parseBody(call, policyBody);
  checkPolicy(call, body, undefined);
  const id = world.nextPolicyId++;
  world.policies.set(id, { ...policyFields(body, now), id });
  linkPolicy(world, id, body.server_groups);
  return createdResponse();
}

/** Replaces the whole policy: missing fields are cleared, including secrets in the configuration. */
export function updatePolicy(call: Call): Response {
  const { world } = call;
  const { id, type, createTime } = policyOf(call);
  const body = parseBody(call, replacedPolicyBody);
  if (body.id !== undefined && body.id !== id) throw invalid({ id: [selectedField('id')] });
  // Without its id in the body, a policy's own name counts as taken, as on the live service.
  checkPolicy(call, body, body.id);
  // Assumption (§4.10): the type of a policy cannot change.
  if (body.policy_type_name !== type)
    throw invalid({ policy_type_name: [selectedField('policy_type_name')] });
  world.policies.set(id, { ...policyFields(body, createTime), id });
  linkPolicy(world, id, body.server_groups);
  return noContentResponse();
}

/** Its name is its own, and it and its groups are of this organization. */
function checkPolicy(call: Call, body: PolicyBody, ownId: number | undefined): void {
  const others = [...call.world.policies.values()].filter(({ id }) => id !== ownId);
  if (others.some(({ name }) => name === body.name)) throw invalid({ name: ['The name must be unique.'] });
  if (body.organization_id !== call.world.organizationId) throw forbidden();
  requireGroups(call, body.server_groups);
}

/** Links the policy to exactly these groups. */
function linkPolicy({ groups }: World, policyId: number, groupIds: readonly number[]): void {
  for (const group of groups.values()) {
    const others = group.policies.filter((id) => id !== policyId);
    const linked = groupIds.includes(group.id);
    if (linked === others.length < group.policies.length) continue;
    groups.set(group.id, { ...group, policies: linked ? [...others, policyId] : others });
  }
}

function groupsOf({ groups }: World, policyId: number): readonly WorldGroup[] {
  return [...groups.values()].filter(({ policies }) => policies.includes(policyId));
}

const ActionBody = z.object({
  action: oneOfField('action', ['remediateAll', 'remediateServer']),
  serverId: integerField('serverId').nullish(),
});

/**
 * `POST /policies/{id}/action` (live only; "in practice" 6): 201 without a body; the devices run it from their queues.
 * `remediateAll` beside a `serverId` still means all.
 * Assumption (in practice 6): a named device may be outside the policy's groups, as in its queue.
 */
export function runPolicyAction(call: Call): Response {
  const { world, commands } = call;
  const policy = policyOf(call);
  const { action, serverId } = parseBody(call, ActionBody);
  const remediate = (device: WorldDevice) =>
    commands.enqueue(device, { kind: 'policy', policyId: policy.id, action: 'remediate' });
  if (action === 'remediateAll') {
    const groups = new Set(groupsOf(world, policy.id).map(({ id }) => id));
    const isUnder = (device: WorldDevice) => groups.has(device.groupId) && covers(policy, device);
    world.devices.values().filter(isUnder).forEach(remediate);
    return createdResponse();
  }
  if (serverId === undefined || serverId === null) throw invalid({ serverId: [requiredField('serverId')] });
  const device = world.devices.get(serverId);
  if (device === undefined) return notFoundResponse();
  remediate(device);
  return createdResponse();
}

type Field = (name: string) => z.ZodType;

/** In minutes. */
const timeout: Field = (name) => rangeField(name, 15, 480);
/** The specification states no most. */
const count: Field = (name) => integerField(name).min(0, `The ${name} must be at least 0.`);
/** In hours. */
const periods: Field = (name) =>
  listField(name, rangeField(name, 1, 24))
    .max(3, `The ${name} may not have more than 3 items.`)
    .refine((hours) => new Set(hours).size === hours.length, `The ${name} has a duplicate value.`);
const message =
  (most: number): Field =>
  (name) =>
    textField(name).max(most, `The ${name} may not be greater than ${most} characters.`);
const windowsMessage = message(125);
const macMessage = message(70);
/** The live service refuses other shapes, such as `{type, tag_name}` (automox-mcp, CHANGELOG, seen 2026-06-03). */
const filters: Field = (name) =>
  listField(
    name,
    z.looseObject(
      {
        field: textField(`${name}.field`),
        op: textField(`${name}.op`),
        value: listField(`${name}.value`, z.unknown()),
      },
      `Each of the ${name} must be an object.`,
    ),
  );

/**
 * Scripts and unknown keys are stored as received; settings for reboots and notifications have the limits of the vendor's
 * published specification ("in practice", SPEC25, policy configurations).
 */
const SETTINGS: Readonly<Record<string, Field>> = {
  device_filters_enabled: booleanField,
  device_filters: filters,
  auto_patch: booleanField,
  auto_reboot: booleanField,
  notify_user: booleanField,
  notify_reboot_user: booleanField,
  notify_deferred_reboot_user: booleanField,
  custom_notification_max_delays: count,
  custom_pending_reboot_notification_max_delays: count,
  custom_notification_deferment_periods: periods,
  custom_pending_reboot_notification_deferment_periods: periods,
  notify_user_message_timeout: timeout,
  notify_deferred_reboot_user_message_timeout: timeout,
  custom_notification_patch_message: windowsMessage,
  custom_notification_patch_message_mac: macMessage,
  custom_notification_reboot_message: windowsMessage,
  custom_notification_reboot_message_mac: macMessage,
  custom_pending_reboot_notification_message: windowsMessage,
  custom_pending_reboot_notification_message_mac: macMessage,
};

const policyConfiguration = z.looseObject(
  Object.fromEntries(
    Object.entries(SETTINGS).map(([name, field]) => [name, field(`configuration.${name}`).nullish()]),
  ),
  {
    error: ({ input }) =>
      input === undefined ? requiredField('configuration') : 'The configuration must be an object.',
  },
);

/** Bit masks: bit 0 is never used, so every day is 254, every week 62 and every month 8190. */
const DAYS_MAX = 254;
const WEEKS_MAX = 62;
const MONTHS_MAX = 8_190;

/** What each type of policy needs, as refused by the live service (terraform-provider-automox, policy/validators.go, 2026). */
const NEEDED = {
  patch: ['filter_type'],
  custom: ['os_family', 'evaluation_code', 'remediation_code'],
  required_software: ['os_family', 'package_name', 'package_version', 'installation_code'],
} as const;

const present = z.custom((value) => value !== undefined && value !== null);
const advancedRules = z.array(z.object({ left: present, condition: present, right: present })).min(1);

/** What the live service refuses in a configuration (terraform-provider-automox, policy/model.go, state_test.go, 2026). */
function configurationProblem(
  type: keyof typeof NEEDED,
  configuration: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = NEEDED[type].find((field) => configuration[field] === undefined);
  if (missing !== undefined) return requiredField(`configuration.${missing}`);
  const family = configuration['os_family'];
  if (typeof family === 'string' && type !== 'patch' && !FAMILIES.includes(family))
    return selectedField('configuration.os_family');
  if (configuration['patch_rule'] !== 'advanced') return undefined;
  const rules = configuration['advanced_filter'];
  if (rules === undefined) return requiredField('configuration.advanced_filter');
  return advancedRules.safeParse(rules).success
    ? undefined
    : "All advanced rules must contain a 'left', 'right' and 'condition'";
}

/**
 * Required are the fields of the vendor's published specification ("in practice", SPEC25, PatchPolicy and CustomPolicy),
 * but for notes and groups: the vendor's own scripts create policies without them (AutomoxSecurity/automox-tools,
 * ax_policy_migration.py; AutomoxCommunity/Templates_And_Examples, CreatePrimaryPatchPolicy.ps1), and the page of 2021
 * calls them optional (docs.automox.com/api/policies/update-a-policy).
 */
const policyBody = z
  .object({
    id: integerField('id').optional(),
    organization_id: integerField('organization_id'),
    name: nonBlankTextField('name'),
    policy_type_name: oneOfField('policy_type_name', ['patch', 'custom', 'required_software']),
    configuration: policyConfiguration,
    schedule_days: rangeField('schedule_days', 0, DAYS_MAX),
    schedule_weeks_of_month: rangeField('schedule_weeks_of_month', 0, WEEKS_MAX).nullish(),
    schedule_months: rangeField('schedule_months', 0, MONTHS_MAX).nullish(),
    schedule_time: textField('schedule_time').regex(
      /^([01]\d|2[0-3]):[0-5]\d$/,
      'The schedule_time does not match the format H:i.',
    ),
    use_scheduled_timezone: booleanField('use_scheduled_timezone').nullish(),
    scheduled_timezone: textField('scheduled_timezone')
      .regex(/^UTC[+-]\d{4}$/, 'The scheduled_timezone format is invalid.')
      .nullish(),
    notes: textField('notes').default(''),
    server_groups: listField('server_groups', integerField('server_groups')).default([]),
  })
  .superRefine(({ policy_type_name: type, configuration }, context) => {
    const message = configurationProblem(type, configuration);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['configuration'], message });
  })
  .refine(
    ({ use_scheduled_timezone: fixed, scheduled_timezone: zone }) =>
      fixed !== true || typeof zone === 'string',
    { path: ['scheduled_timezone'], error: requiredField('scheduled_timezone') },
  );
type PolicyBody = z.output<typeof policyBody>;

const withoutGroups = z
  .looseObject({ server_groups: z.null() })
  .transform((policy) => ({ ...policy, server_groups: [] }));
/** A policy without groups is read with null, and may be sent back as it was read. */
const replacedPolicyBody = z.preprocess((sent) => withoutGroups.safeParse(sent).data ?? sent, policyBody);

function policyFields(body: PolicyBody, createTime: Instant): Omit<WorldPolicy, 'id'> {
  return {
    name: body.name,
    type: body.policy_type_name,
    notes: body.notes,
    configuration: body.configuration,
    deviceFilters: enabledFilters(body.configuration),
    schedule: {
      days: body.schedule_days,
      weeksOfMonth: body.schedule_weeks_of_month ?? 0,
      months: body.schedule_months ?? 0,
      time: body.schedule_time,
      timezone: body.use_scheduled_timezone === true ? (body.scheduled_timezone ?? null) : null,
    },
    createTime,
  };
}

/** In lists, alone, and in `server_policies` of a device. The configuration is sent whole, with scripts and secrets. */
export function policyJson(policy: WorldPolicy, { world, profile, now }: View): object {
  const groupIds = groupsOf(world, policy.id).map(({ id }) => id);
  const counts = world.devices.counts();
  const { schedule } = policy;
  const uuid = uuidOf(`policy ${policy.id}`);
  return {
    id: policy.id,
    uuid,
    organization_id: world.organizationId,
    name: policy.name,
    policy_type_name: policy.type,
    configuration: policy.configuration,
    schedule_days: schedule.days,
    schedule_weeks_of_month: schedule.weeksOfMonth,
    schedule_months: schedule.months,
    schedule_time: schedule.time,
    next_remediation: deviceTime(nextRun(schedule, now)),
    notes: policy.notes,
    create_time: deviceTime(policy.createTime),
    // Ids, not objects ("in practice" 12.28); null, not [], was seen for a policy without groups.
    server_groups: groupIds.length === 0 ? null : groupIds,
    server_count: groupIds.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0),
    status: schedule.days === 0 ? 'inactive' : 'active',
    // A policy that was made by hand has no template and is no community worklet.
    ...(profile.newerFields && {
      policy_uuid: uuid,
      account_id: uuidOf('account'),
      use_scheduled_timezone: schedule.timezone !== null,
      scheduled_timezone: schedule.timezone,
      community_worklet_id: null,
      community_worklet_uuid: null,
      policy_template_id: null,
      policy_template_uuid: null,
    }),
  };
}
