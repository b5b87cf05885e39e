/** Why a change of many devices cannot be requested as it was asked for. */
import type { Instant } from '../../lib/clock.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { DoubtedList } from './doubted-list.ts';
import type { Offer } from './offer-model.ts';

export type RolloutProblem =
  /** `filters`: as they would be typed. */
  | { readonly kind: 'no-devices-match'; readonly filters: string }
  /** The first walk over the fleet is not complete, so these might not be all of the devices; `of` null: of how many is not known. */
  | { readonly kind: 'fleet-unread'; readonly read: number; readonly of: number | null }
  /** A list of the service lacks too much, so filters could select wrong devices. */
  | { readonly kind: 'list-doubted'; readonly doubt: DoubtedList }
  /**
   * The packages of so many of the devices are known so far. `oldest`: the age of what is known, which may be too old.
   * `isGoing`: they are being read in the background.
   */
  | {
      readonly kind: 'packages-unread';
      readonly known: number;
      readonly of: number;
      readonly oldest: Instant | null;
      readonly isGoing: boolean;
    }
  /** The packages of one device, which stays out. */
  | { readonly kind: 'device-packages-unread'; readonly deviceName: string }
  /** None of the devices is missing the package. */
  | {
      readonly kind: 'missing-nowhere';
      readonly query: string;
      readonly devices: number;
      readonly nearest: readonly string[];
      readonly offers?: readonly Offer[];
    }
  | { readonly kind: 'rollout-too-large'; readonly devices: number; readonly most: number }
  /** `used`: devices that the person requested in the last 24 hours. */
  | {
      readonly kind: 'daily-limit';
      readonly devices: number;
      readonly used: number;
      readonly most: number;
    }
  /** The person's waiting requests, as many as may wait. */
  | {
      readonly kind: 'too-many-waiting';
      readonly most: number;
      readonly waiting: readonly RequestWithTargets[];
    }
  /**
   * Another request for the same waits, but with another plan, or only for the rest of the devices. `plan` and `devices`:
   * what was asked for now.
   */
  | {
      readonly kind: 'request-differs';
      readonly request: RequestWithTargets;
      readonly link: string | null;
      readonly plan: RolloutPlan | null;
      readonly devices: number;
      /** Whether the reader requested the waiting one. */
      readonly mine: boolean;
    }
  /**
   * From `from` devices on a reason is required; `lastHour`: of how many the person asked for changes in the last hour,
   * with these. `offers`: the form with all else filled in.
   */
  | {
      readonly kind: 'reason-required';
      readonly devices: number;
      readonly lastHour: number;
      readonly from: number;
      readonly offers?: readonly Offer[];
    };
