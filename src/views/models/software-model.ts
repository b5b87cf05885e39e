/** Views of software and of what a command would do, and what can go wrong with policies and severities. */

import type { Instant } from '../../clock.ts';
import type { Device, Package } from '../../fleet/model.ts';
import type { PackageState, SeverityCount } from '../../fleet/software.ts';
import type { PolicyAction } from '../../fleet/standing.ts';
import type { PolicyId } from '../../ids.ts';
import type { Completeness } from '../completeness.ts';
import type { ListedLine, Paging } from '../model.ts';
import type { LookOnly } from './device-model.ts';
import type { ExplainView } from './explain-model.ts';
import type { Offer } from './offer-model.ts';
import type { Choice } from './report-model.ts';

/** A package that a device misses, as far as a list over many devices tells of it. */
export type MissedPackage = Pick<Package, 'name' | 'displayName' | 'version' | 'severity'>;

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
      readonly other: Choice;
      readonly paging: Paging;
    } & LookOnly)
  | ({
      readonly kind: 'missing';
      /** What was asked for, as it would be typed. */
      readonly question: string;
      /** The package or the CVE alone. */
      readonly what: string;
      /** The group that was asked about, with those below it; absent: the whole fleet. */
      readonly inGroup?: string;
      readonly rows: readonly {
        readonly line: ListedLine;
        readonly packages: readonly MissedPackage[];
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
