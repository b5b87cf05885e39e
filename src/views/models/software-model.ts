/** Views of software and of what a command would do, and what can go wrong with policies and severities. */

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

/** A package that a device misses, as far as a list over many devices tells of it. */
export type MissingPackage = Pick<Package, 'name' | 'displayName' | 'version' | 'severity'>;

export type SoftwareView =
  | ExplainView
  | ({
      readonly kind: 'packages';
      readonly device: Device;
      /** What was asked for, as it would be typed. */
      readonly question: string;
      /** Nothing narrowed it down: what is not installed. */
      readonly isDefault: boolean;
      readonly rows: readonly Package[];
      /** Of all packages of the device. */
      readonly counts: Readonly<Record<PackageState, number>>;
      /** Of those that are missing. */
      readonly severities: readonly SeverityCount[];
      /** The other list: everything, or only what is not installed. */
      readonly other: CommandChoice;
      readonly paging: Paging;
    } & ReadOnlyReader)
  | ({
      readonly kind: 'missing';
      /** What was asked for, as it would be typed. */
      readonly question: string;
      /** The package or the CVE alone. */
      readonly what: string;
      /** The group that was asked about, with those below it; absent: the whole fleet. */
      readonly inGroup?: string;
      readonly rows: readonly {
        readonly line: ListedDeviceLine;
        readonly packages: readonly MissingPackage[];
      }[];
      /** Devices asked about: the group's or all. */
      readonly devices: number;
      /** Of them, those that the service lists with available patches: any that is not installed, held ones too. */
      readonly candidates: number;
      /** Of these, those whose packages are known. */
      readonly looked: number;
      /** Of these, those whose packages the service did not give just now. */
      readonly unread: number;
      /** Reading goes on behind the answer. */
      readonly isGoing: boolean;
      /** When the packages were read that are known for the longest time. */
      readonly oldest: Instant | null;
      readonly sought: 'package' | 'cve';
      /**
       * Whether a device that was checked has such a package, installed or missing; `unsure` where of some only the
       * missing packages are known.
       */
      readonly standing: 'known' | 'unknown' | 'unsure';
      /** Packages of similar names, where no device misses one of this name. */
      readonly nearest: readonly string[];
      readonly paging: Paging;
    } & Completeness);

export type SoftwareProblem =
  /** The device misses none of the packages of an order for several devices. */
  | { readonly kind: 'none-missing'; readonly deviceName: string }
  /** The policy is of a kind that cannot be run so, or none of the device's. `others` would do. */
  | {
      readonly kind: 'policy-not-for';
      readonly why: 'kind' | 'device';
      readonly action: PolicyAction;
      readonly policy: { readonly id: PolicyId; readonly name: string; readonly type: string | null };
      readonly deviceName: string;
      readonly others: readonly string[];
      /** The same with buttons; absent where there are none. */
      readonly offers?: readonly Offer[];
    }
  /** Nothing that is missing has one of the severities; `there` counts what has others or none. */
  | {
      readonly kind: 'no-such-severity';
      readonly asked: readonly string[];
      readonly deviceName: string;
      readonly there: readonly SeverityCount[];
    };
