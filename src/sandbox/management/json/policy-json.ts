/** A policy in the service's JSON ("in practice" 9): in lists, alone, and in `server_policies` of a device. */
import type { Instant } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
import { deviceCounts } from '../world/edits/edit-groups.ts';
import { groupsOf } from '../world/edits/edit-policies.ts';
import type { WorldPolicy } from '../world/model.ts';
import { uuidOf } from '../world/random.ts';
import { nextRun } from '../world/state/policy-status.ts';
import type { World } from '../world/world.ts';
import { deviceTime } from './time-formats.ts';

export type PolicyView = {
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
