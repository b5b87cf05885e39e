/**
 * Policies and organizations (§4.10): types. The interface shows no shapes; these follow "management API in
 * practice" 5 and 9. A policy's configuration holds scripts and secrets, so only its known settings leave this folder.
 */
import type { Instant } from '../../lib/clock.ts';
import type { GroupId, OrganizationId, PolicyId } from '../../lib/ids.ts';
import type { PolicySettings } from './policy-settings.ts';

export type Policy = {
  readonly id: PolicyId;
  readonly uuid: string | null;
  readonly organizationId: OrganizationId;
  readonly name: string;
  /** `patch`, `custom` (a Worklet), `required_software`, or a newer word. */
  readonly type: string | null;
  readonly notes: string | null;
  readonly status: string | null;
  /** Unreliable on the live service. */
  readonly nextRemediation: Instant | null;
  readonly schedule: PolicySchedule;
  /** Those that its configuration shows. */
  readonly settings: PolicySettings;
  /** Changes with the configuration and the schedule; null where the service does not show the configuration. */
  readonly digest: string | null;
  /** Whether it selects devices of its groups by their tags. */
  readonly selectsByTag: boolean;
  readonly groupIds: readonly GroupId[];
  readonly deviceCount: number | null;
  readonly createTime: Instant | null;
};

/** Bit masks as sent: days Monday = 2 … Sunday = 128, weeks and months alike; `time` is `HH:MM`. */
export type PolicySchedule = {
  readonly days: number | null;
  readonly weeksOfMonth: number | null;
  readonly months: number | null;
  readonly time: string | null;
  /** Whose clock it follows: {@link DEVICE_TIME} or an offset such as `UTC+0100`; null where that is not stated. */
  readonly timezone: string | null;
};

/** Each device follows its own clock. */
export const DEVICE_TIME = 'device';

/** The enrollment secret that the service sends with it is removed before anything else sees it. */
export type Organization = {
  readonly id: OrganizationId;
  readonly uuid: string | null;
  readonly name: string;
  readonly tier: string | null;
  readonly createTime: Instant | null;
  readonly parentId: OrganizationId | null;
  readonly deviceCount: number | null;
  readonly deviceLimit: number | null;
};
