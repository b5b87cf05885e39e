/** What the JSON of a device depends on besides the device. */
import type { Instant } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
import type { World } from '../world/world.ts';

export type DeviceView = {
  readonly world: World;
  readonly profile: Profile;
  readonly now: Instant;
  readonly totalCount: number;
  readonly kind: 'row' | 'single';
  readonly include: Readonly<Record<'details' | 'serverEvents' | 'nextPatchTime', boolean>>;
  /** Leaves `policy_status` out. */
  readonly withoutPolicyStatus: boolean;
};
