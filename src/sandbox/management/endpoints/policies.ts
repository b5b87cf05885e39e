/** Policies (§4.10): read, create, replace and delete. */
import { z } from 'zod';
import type { Instant } from '../../../lib/clock.ts';
import { parseJson } from '../../parse-json.ts';
import type { Profile } from '../profiles.ts';
import { covers, nextRun } from '../world/devices.ts';
import type { WorldDevice, WorldGroup, WorldPolicy } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { deviceCounts } from './groups.ts';
import { enabledFilters, FAMILIES } from './preview.ts';
import {
  allGroupsExist,
  booleanField,
  createdResponse,
  type EndpointContext,
  forbiddenResponse,
  integerField,
  invalidResponse,
  limitParameter,
  listField,
  MAX_ROWS,
  noContentResponse,
  nonEmptyTextField,
  notFoundResponse,
  oneOfField,
  orDigits,
  pageParameter,
  parseBody,
  parseQuery,
  policyOrNotFound,
  rangeField,
  requiredField,
  selectedField,
  slicePage,
  textField,
} from './requests.ts';
import { deviceTime } from './time-formats.ts';

const Query = z.object({ limit: limitParameter(), page: pageParameter() });

export function listPolicies(service: EndpointContext, params: URLSearchParams): Response {
  const query = parseQuery(params, Query);
  if (query instanceof Response) return query;
  const { state } = service.world();
  const counts = deviceCounts(state);
  const rows = slicePage([...state.policies.values()], query, MAX_ROWS);
  return Response.json(rows.map((policy) => policyJson(policy, viewOf(service), counts)));
}

export function getPolicy(service: EndpointContext, id: string | undefined): Response {
  const policy = policyOrNotFound(service, id);
  return policy === undefined ? notFoundResponse() : Response.json(policyJson(policy, viewOf(service)));
}

function viewOf(service: EndpointContext): PolicyView {
  return { world: service.world().state, profile: service.profile, now: service.clock.now() };
}

/** 201 without a body: the new policy is found by its name. */
export function createPolicy(service: EndpointContext, text: string): Response {
  const body = parseBody(text, policyBody);
  if (body instanceof Response) return body;
  const wrong = nameTakenProblem(service, body, undefined) ?? linksProblem(service, body);
  if (wrong !== undefined) return wrong;
  const { state } = service.world();
  const policy = addPolicy(state, policyDraftOf(body, service.clock.now()));
  linkPolicy(state, policy.id, body.server_groups);
  return createdResponse();
}

/** Replaces the whole policy: missing fields are cleared, including secrets in the configuration. */
export function updatePolicy(service: EndpointContext, id: string | undefined, text: string): Response {
  const policy = policyOrNotFound(service, id);
  if (policy === undefined) return notFoundResponse();
  const body = parseBody(text, replacedPolicyBody);
  if (body instanceof Response) return body;
  if (body.id !== undefined && body.id !== policy.id) return invalidResponse({ id: [selectedField('id')] });
  // Without its id in the body, a policy's own name counts as taken, as on the live service.
  const wrong = nameTakenProblem(service, body, body.id) ?? linksProblem(service, body);
  if (wrong !== undefined) return wrong;
  // Assumption (§4.10): the type of a policy cannot change.
  if (body.policy_type_name !== policy.type)
    return invalidResponse({ policy_type_name: [selectedField('policy_type_name')] });
  const { state } = service.world();
  state.policies.set(policy.id, { ...policyDraftOf(body, policy.createTime), id: policy.id });
  linkPolicy(state, policy.id, body.server_groups);
  return noContentResponse();
}

export function deletePolicy(service: EndpointContext, id: string | undefined): Response {
  const policy = policyOrNotFound(service, id);
  if (policy === undefined) return notFoundResponse();
  removePolicy(service.world().state, policy);
  return noContentResponse();
}

function nameTakenProblem(
  service: EndpointContext,
  body: PolicyBody,
  ownId: number | undefined,
): Response | undefined {
  const others = [...service.world().state.policies.values()].filter(({ id }) => id !== ownId);
  const isTaken = others.some(({ name }) => name === body.name);
  return isTaken ? invalidResponse({ name: ['The name must be unique.'] }) : undefined;
}

/** The error for a policy of another organization, or with an unknown group. */
function linksProblem(service: EndpointContext, body: PolicyBody): Response | undefined {
  const { organizationId } = service.world().state;
  const elsewhere = body.organization_id !== undefined && body.organization_id !== organizationId;
  return elsewhere || !allGroupsExist(service, body.server_groups ?? []) ? forbiddenResponse() : undefined;
}

/** The body of a policy request ("in practice" 9), and the policy that it describes. */

/**
 * The configuration of a policy in a request. Scripts and unknown keys are stored as received; settings for reboots and
 * notifications have the limits of the vendor's published specification ("in practice", SPEC25, policy configurations).
 */

const HOURS_MAX = 24;
const PERIODS_MAX = 3;
const WINDOWS_TEXT = 125;
const MAC_TEXT = 70;

const named = (name: string) => `configuration.${name}`;
const flag = (name: string) => [name, booleanField(named(name)).nullish()] as const;
const minutes = (name: string) => [name, rangeField(named(name), 15, 480).nullish()] as const;
/** The specification states no most. */
const count = (name: string) =>
  [
    name,
    integerField(named(name))
      .min(0, `The ${named(name)} must be at least 0.`)
      .nullish(),
  ] as const;
const periods = (name: string) =>
  [
    name,
    listField(named(name), rangeField(named(name), 1, HOURS_MAX))
      .max(PERIODS_MAX, `The ${named(name)} may not have more than ${PERIODS_MAX} items.`)
      .refine((hours) => new Set(hours).size === hours.length, `The ${named(name)} has a duplicate value.`)
      .nullish(),
  ] as const;
const message = (name: string, most: number) =>
  [
    name,
    textField(named(name))
      .max(most, `The ${named(name)} may not be greater than ${most} characters.`)
      .nullish(),
  ] as const;

/** The live service refuses other shapes, such as `{type, tag_name}` (automox-mcp, CHANGELOG, seen 2026-06-03). */
const deviceFilter = z.looseObject(
  {
    field: textField(named('device_filters.field')),
    op: textField(named('device_filters.op')),
    value: listField(named('device_filters.value'), z.unknown()),
  },
  `Each of the ${named('device_filters')} must be an object.`,
);

const policyConfiguration = z.looseObject(
  Object.fromEntries([
    flag('device_filters_enabled'),
    ['device_filters', listField(named('device_filters'), deviceFilter).nullish()] as const,
    flag('auto_patch'),
    flag('auto_reboot'),
    flag('notify_user'),
    flag('notify_reboot_user'),
    flag('notify_deferred_reboot_user'),
    count('custom_notification_max_delays'),
    count('custom_pending_reboot_notification_max_delays'),
    periods('custom_notification_deferment_periods'),
    periods('custom_pending_reboot_notification_deferment_periods'),
    minutes('notify_user_message_timeout'),
    minutes('notify_deferred_reboot_user_message_timeout'),
    ...[
      'custom_notification_patch_message',
      'custom_notification_reboot_message',
      'custom_pending_reboot_notification_message',
    ].flatMap((name) => [message(name, WINDOWS_TEXT), message(`${name}_mac`, MAC_TEXT)]),
  ]),
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
    // Text on the vendor's page of 2021 and in its script worklet_warden.py (AutomoxSecurity/automox-tools).
    organization_id: orDigits(integerField('organization_id')),
    name: nonEmptyTextField('name'),
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

function policyDraftOf(body: PolicyBody, createTime: Instant): PolicyDraft {
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

/** A policy in the service's JSON ("in practice" 9): in lists, alone, and in `server_policies` of a device. */

type PolicyView = {
  readonly world: World;
  readonly profile: Pick<Profile, 'newerFields'>;
  readonly now: Instant;
};

/** The configuration is sent whole, with scripts and secrets, as on the live service. */
export function policyJson(
  policy: WorldPolicy,
  { world, profile, now }: PolicyView,
  counts = deviceCounts(world),
): object {
  const groupIds = groupsOf(world, policy.id).map(({ id }) => id);
  const { schedule } = policy;
  return {
    id: policy.id,
    uuid: uuidOf(`policy ${policy.id}`),
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
    ...(profile.newerFields ? newerFields(policy) : {}),
  };
}

/** A policy that was made by hand has no template and is no community worklet. */
function newerFields({ id, schedule }: WorldPolicy): object {
  return {
    policy_uuid: uuidOf(`policy ${id}`),
    account_id: uuidOf('account'),
    use_scheduled_timezone: schedule.timezone !== null,
    scheduled_timezone: schedule.timezone,
    community_worklet_id: null,
    community_worklet_uuid: null,
    policy_template_id: null,
    policy_template_uuid: null,
  };
}

/** `POST /policies/{id}/action` (live only; "in practice" 6): remediates one device or all devices of the policy. */

const ActionBody = z.object({
  action: oneOfField('action', ['remediateAll', 'remediateServer']),
  serverId: integerField('serverId').nullish(),
});

/** What a request does not have in its body may be in its query: the vendor's older client sends both there. */
function withQuery(params: URLSearchParams, text: string): string {
  const serverId = params.get('serverId');
  const json = text.trim() === '' ? {} : parseJson(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return text;
  return JSON.stringify({
    ...(params.has('action') ? { action: params.get('action') } : {}),
    ...(serverId === null ? {} : { serverId: /^\d{1,15}$/.test(serverId) ? Number(serverId) : serverId }),
    ...json,
  });
}

/**
 * 201 without a body; the devices run it from their queues. `remediateAll` beside a `serverId` still means all.
 * Assumption (in practice 6): a named device may be outside the policy's groups, as in its queue.
 */
export function runPolicyAction(
  service: EndpointContext,
  id: string | undefined,
  { params, text }: { readonly params: URLSearchParams; readonly text: string },
): Response {
  const policy = policyOrNotFound(service, id);
  if (policy === undefined) return notFoundResponse();
  const body = parseBody(withQuery(params, text), ActionBody);
  if (body instanceof Response) return body;
  const { state, commands } = service.world();
  const remediate = (device: WorldDevice): void => {
    commands.enqueue(device, { kind: 'policy', policyId: policy.id, action: 'remediate' });
  };
  if (body.action === 'remediateAll') {
    devicesUnder(state, policy).forEach(remediate);
    return createdResponse();
  }
  const { serverId } = body;
  if (serverId === undefined || serverId === null)
    return invalidResponse({ serverId: [requiredField('serverId')] });
  const device = state.devices.get(serverId);
  if (device === undefined) return notFoundResponse();
  remediate(device);
  return createdResponse();
}

/** Edits of policies and of their links to groups. */

type PolicyDraft = Omit<WorldPolicy, 'id'>;

function addPolicy(world: World, draft: PolicyDraft): WorldPolicy {
  const policy = { ...draft, id: world.nextPolicyId++ };
  world.policies.set(policy.id, policy);
  return policy;
}

/** Unlinks it from its groups; queued commands for it find no policy. */
function removePolicy(world: World, policy: WorldPolicy): void {
  linkPolicy(world, policy.id, []);
  world.policies.delete(policy.id);
}

/** Links the policy to exactly these groups. */
function linkPolicy(world: World, policyId: number, groupIds: readonly number[]): void {
  for (const group of world.groups.values()) {
    const others = group.policies.filter((id) => id !== policyId);
    const linked = groupIds.includes(group.id);
    if (linked === others.length < group.policies.length) continue;
    world.groups.set(group.id, { ...group, policies: linked ? [...others, policyId] : others });
  }
}

function groupsOf(world: World, policyId: number): readonly WorldGroup[] {
  return [...world.groups.values()].filter(({ policies }) => policies.includes(policyId));
}

/** The devices of the groups that link to the policy, which it is for. */
export function devicesUnder(world: World, policy: WorldPolicy): readonly WorldDevice[] {
  const groups = new Set(groupsOf(world, policy.id).map(({ id }) => id));
  return [...world.devices.values()].filter((device) => groups.has(device.groupId) && covers(policy, device));
}
