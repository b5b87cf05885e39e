/** Why a change of many devices cannot be requested as it was asked for. */
import type { Instant } from '../../lib/clock.ts';
import type { RequestLimit } from '../../lib/rollout-limits.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { DoubtedList } from './doubted-list.ts';
import type { Offer } from './offer-model.ts';

type LimitOf<K extends RequestLimit['kind']> = Extract<RequestLimit, { readonly kind: K }>;

export type RolloutProblem =
  /** `filters`: as they would be typed. `unknown`: of so many devices it is unknown whether they match. */
  | { readonly kind: 'no-devices-match'; readonly filters: string; readonly unknown?: number }
  | { readonly kind: 'unknown-fit'; readonly deviceName: string }
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
  | LimitOf<'daily-limit'>
  /** With the person's waiting requests. */
  | (LimitOf<'too-many-waiting'> & { readonly waiting: readonly RequestWithTargets[] })
  /** `offers`: the form with all else filled in. */
  | (LimitOf<'reason-required'> & { readonly offers?: readonly Offer[] })
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
    };
