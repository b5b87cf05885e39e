/** How much people may request, and how old a rollout may be, as the configuration file says. */
import { DAY } from './clock.ts';

export type RolloutLimits = {
  /**
   * From so many devices of one person in an hour on, a reason is required, and an approver types the number of the
   * request.
   */
  readonly reasonFrom: number;
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

/** Whether it counts towards what one person may request. A scan and the test of a policy only look at the device. */
export function countsTowardsLimits({ kind }: { readonly kind: string }): boolean {
  return kind !== 'scan' && kind !== 'policy-test';
}

/** Why a request is not recorded: its person may not request so much. */
export type RequestLimit =
  | { readonly kind: 'too-many-waiting'; readonly most: number }
  /** `used`: devices that the person requested changes of in the last 24 hours. */
  | {
      readonly kind: 'daily-limit';
      readonly devices: number;
      readonly used: number;
      readonly most: number;
    }
  /** `lastHour`: devices that the person requested changes of in the last hour, with these. */
  | {
      readonly kind: 'reason-required';
      readonly devices: number;
      readonly lastHour: number;
      readonly from: number;
    };
