/** How much one person may request, by what was counted in the transaction that records it: pure. */
import type { RolloutLimits } from '../../lib/rollout-limits.ts';

/** Why a request is not recorded. */
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

export type Requested = {
  readonly devices: number;
  readonly reason: string | null;
  /** Devices of the person’s other changes in the last 24 hours; null: this one changes nothing, and is not limited. */
  readonly lastDay: number | null;
  /** The same of the last hour. */
  readonly lastHour: number;
  /** Requests of the person that wait for approval; 0 where this one needs none. */
  readonly waiting: number;
};

/** Null: it may be recorded. */
export function limitOf(
  { devices, reason, lastDay, lastHour, waiting }: Requested,
  { maxWaiting, maxDevicesPerDay, reasonFrom }: RolloutLimits,
): RequestLimit | null {
  if (waiting >= maxWaiting) return { kind: 'too-many-waiting', most: maxWaiting };
  if (lastDay !== null && lastDay + devices > maxDevicesPerDay)
    return { kind: 'daily-limit', devices, used: lastDay, most: maxDevicesPerDay };
  const asked = lastHour + devices;
  return asked >= reasonFrom && reason === null
    ? { kind: 'reason-required', devices, lastHour: asked, from: reasonFrom }
    : null;
}
