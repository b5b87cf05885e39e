/** Views of packages and missing patches, and problems with policies and severities. */

import type { PackageState, SeverityCount } from '../../fleet/model/package-state.ts';
import type { PolicyAction } from '../../fleet/model/policy-status.ts';
import type { Device, Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import type { Completeness } from '../fleet/completeness.ts';
import type { ListedDeviceLine, Paging } from '../model.ts';
import type { ReadOnlyReader } from './device-model.ts';
import type { ExplainView } from './help-model.ts';
import type { Offer } from './problem-model.ts';
import type { CommandChoice } from './report-model.ts';

/** A package that a device is missing, with what a list of many devices shows of it. */
export type MissingPackage = Pick<Package, 'name' | 'displayName' | 'version' | 'severity'>;

export type SoftwareView =
  | ExplainView
  | ({
      readonly kind: 'packages';
      readonly device: Device;
      /** The query as it would be typed. */
      readonly question: string;
      /** No words or filters were given, so everything that is not installed is listed. */
      readonly isDefault: boolean;
      readonly rows: readonly Package[];
      /** Counts over all packages of the device. */
      readonly counts: Readonly<Record<PackageState, number>>;
      /** Severities of the missing packages. */
      readonly severities: readonly SeverityCount[];
      /** The other list: all packages, or only those that are not installed. */
      readonly other: CommandChoice;
      readonly paging: Paging;
    } & ReadOnlyReader)
  | ({
      readonly kind: 'missing';
      /** The package or CVE, without the group. */
      readonly what: string;
      /** The group, including its subgroups; absent: the whole fleet. */
      readonly inGroup?: string;
      readonly rows: readonly {
        readonly line: ListedDeviceLine;
        readonly packages: readonly MissingPackage[];
      }[];
      /** Devices in the group or in the fleet. */
      readonly devices: number;
      /** Devices that the service lists with available patches, ignored and deferred ones included. */
      readonly candidates: number;
      /** Candidates whose packages are known. */
      readonly looked: number;
      /** Candidates whose packages could not be read just now. */
      readonly unread: number;
      /** Packages are still being read in the background. */
      readonly isGoing: boolean;
      /** When the oldest of the packages' data was read; null where none was. */
      readonly oldest: Instant | null;
      readonly sought: 'package' | 'cve';
      /**
       * `known`: some checked device has the package, installed or missing. `unknown`: none has. `unsure`: none is known to
       * have it, but the installed packages of some devices were not read.
       */
      readonly standing: 'known' | 'unknown' | 'unsure';
      /** Packages with similar names, where no device is missing one of this name. */
      readonly nearest: readonly string[];
      readonly paging: Paging;
    } & Completeness);

export type SoftwareProblem =
  /** The device is missing none of the packages of a request for several devices. */
  | { readonly kind: 'none-missing'; readonly deviceName: string }
  /** The policy cannot be run this way, or is not one of the device's. `others` can be. */
  | {
      readonly kind: 'policy-not-for';
      readonly why: 'kind' | 'device';
      readonly action: PolicyAction;
      readonly policy: { readonly id: PolicyId; readonly name: string; readonly type: string | null };
      readonly deviceName: string;
      readonly others: readonly string[];
      /** `others` with buttons; absent where there are none. */
      readonly offers?: readonly Offer[];
    }
  /** No missing package has one of the severities. `there` counts those with others or none. */
  | {
      readonly kind: 'no-such-severity';
      readonly asked: readonly string[];
      readonly deviceName: string;
      readonly there: readonly SeverityCount[];
    };
