/** Missing packages, and problems with policies and severities. */
import type { SeverityCount } from '../../fleet/model/derived-fields.ts';
import type { PolicyAction } from '../../fleet/model/policy-status.ts';
import type { Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import type { Offer } from './offer-model.ts';

/** A package that a device is missing, with what a list of many devices shows of it. */
export type MissingPackage = Pick<Package, 'name' | 'displayName' | 'version' | 'severity'>;

/** How the packages of many devices were read. */
export type PackageReading = {
  /** Devices that the service lists with missing patches, ignored and deferred ones included. */
  readonly candidates: number;
  /** Candidates whose packages are known. */
  readonly looked: number;
  /** Those of them that were read from the service's list of all devices; the others were read one by one. */
  readonly fromList: number;
  /** Candidates whose packages could not be read just now. */
  readonly unread: number;
  /** Packages are still being read in the background. */
  readonly isGoing: boolean;
  /** When the oldest of the packages' data was read; null where none was. */
  readonly oldest: Instant | null;
};

export type SoftwareProblem =
  /**
   * The device is missing none of the packages of a request for several devices. `severities`: the packages were
   * chosen by them alone.
   */
  | { readonly kind: 'none-missing'; readonly deviceName: string; readonly severities?: readonly string[] }
  /** The policy cannot be run this way, or is not one of the device's. `others` can be. */
  | {
      readonly kind: 'policy-not-for';
      readonly why: 'kind' | 'device';
      readonly action: PolicyAction;
      readonly policy: { readonly id: PolicyId; readonly name: string; readonly type: string | null };
      /** Absent: none in particular. */
      readonly deviceName?: string;
      readonly others: readonly string[];
      /** `others` with buttons; absent where there are none. */
      readonly offers?: readonly Offer[];
    }
  /** The policy has no groups, or there are no devices in them. */
  | {
      readonly kind: 'policy-without-devices';
      readonly policy: { readonly id: PolicyId; readonly name: string };
    }
  /** No missing package has one of the severities. `there` counts those with others or none. */
  | {
      readonly kind: 'no-such-severity';
      readonly asked: readonly string[];
      readonly deviceName: string;
      readonly there: readonly SeverityCount[];
    };
