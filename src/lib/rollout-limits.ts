/** How much people may request, and how old a rollout may be, as the configuration file says. */
import { DAY } from './clock.ts';

export type RolloutLimits = {
  /**
   * From so many devices of one person in an hour on, a reason is required, and an approver types the number of the
   * request.
   */
  readonly reasonFrom: number;
  /** Devices of one rollout. */
  readonly maxDevices: number;
  /** Devices that one person may request in 24 hours. */
  readonly maxDevicesPerDay: number;
  /** How long an approval lasts, in milliseconds; longer where the plan's own waits are. */
  readonly maxAgeMs: number;
  /** Requests of one person that wait for approval at a time. */
  readonly maxWaiting: number;
};

/** Our own figures, for fleets of hundreds to a few thousand devices. */
export const DEFAULT_ROLLOUT_LIMITS: RolloutLimits = {
  reasonFrom: 25,
  maxDevices: 1_000,
  maxDevicesPerDay: 2_000,
  maxAgeMs: DAY,
  maxWaiting: 20,
};
