/** Views of what there is to know beside devices: groups, policies, and how the fleet and the bot are doing. */

import type { Organization, Policy } from '../../fleet/model/policy.ts';
import type { DevicePreviewFilter, PreviewedDevice } from '../../fleet/model/preview-query.ts';
import type { Group } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { Completeness } from '../fleet/completeness.ts';
import type { Paging } from '../model.ts';
import type { ReadOnlyReader } from './device-model.ts';

/** How a command is run from a button. */
export type CommandChoice = { readonly command: string; readonly input: unknown };

/** A group as it stands in the tree. */
export type GroupRow = {
  readonly id: GroupId;
  readonly name: string;
  /** 0 for those that stand below none but the Default group. */
  readonly depth: number;
  /** In this very group. */
  readonly devices: number;
  readonly refreshIntervalMinutes: number | null;
  readonly policies: number;
};

/** A policy with the names of its groups; null for a group that is not known. */
export type PolicyLine = {
  readonly policy: Policy;
  readonly groups: readonly { readonly id: GroupId; readonly name: string | null }[];
};

/** One policy of a group, or one group of a policy, with how many of its devices do not comply. */
/** A device that filters match. The service names only the family of its system, its own record more. */
export type PreviewedDeviceLine = PreviewedDevice & {
  /** Absent where no record of it was read. */
  readonly osName?: string;
};

export type CompliancePart = { readonly name: string; readonly noncompliant: number };

/** How the devices of this very group stand, or those of a policy; the service may not say it of all. */
export type ComplianceRow = {
  readonly name: string;
  readonly devices: number;
  readonly noncompliant: number;
  readonly unstated: number;
  /** Of a group the policies, of a policy the groups; the most devices first. */
  readonly parts?: readonly CompliancePart[];
  /** The list of those that do not comply; null where the group has no name to ask for. */
  readonly list: CommandChoice | null;
};

export type ReportView =
  | ({
      readonly kind: 'groups';
      readonly root: string;
      readonly rows: readonly GroupRow[];
      readonly devices: number;
      readonly paging: Paging;
    } & Completeness)
  | ({
      readonly kind: 'group';
      readonly group: Group;
      readonly name: string;
      /** Names of the groups above, the outermost first. */
      readonly above: readonly string[];
      readonly policies: readonly { readonly id: PolicyId; readonly name: string | null }[];
      /** In this very group. */
      readonly devices: number;
      /** In this group and those below it. */
      readonly devicesBelow: number;
      readonly list: CommandChoice;
      readonly asOf: Instant;
    } & ReadOnlyReader)
  | {
      readonly kind: 'policies';
      readonly rows: readonly PolicyLine[];
      readonly paging: Paging;
    }
  | ({
      readonly kind: 'policy';
      /** Devices that report the policy, from the device index; null while that is loading. */
      readonly compliance?: {
        readonly devices: number;
        readonly noncompliant: number;
        readonly list: CommandChoice;
      } | null;
      readonly asOf: Instant;
    } & PolicyLine)
  /** Several things have the name: one button each. */
  | {
      readonly kind: 'choices';
      readonly what: 'group' | 'policy';
      readonly query: string;
      readonly rows: readonly {
        readonly id: number;
        readonly name: string;
        /** What tells it from the others. */
        readonly detail: string | null;
        readonly choice: CommandChoice;
      }[];
      readonly total: number;
    }
  | ({
      readonly kind: 'compliance';
      readonly by: 'groups' | 'policies';
      /** Groups or policies with devices that do not comply, the most of them first. */
      readonly rows: readonly ComplianceRow[];
      readonly devices: number;
      readonly noncompliant: number;
      readonly unstated: number;
      readonly list: CommandChoice;
      readonly paging: Paging;
    } & Completeness)
  | {
      readonly kind: 'preview';
      /** As it would be typed. */
      readonly question: string;
      /** The same as the command's form takes it. */
      readonly input: unknown;
      /** As it was sent. */
      readonly filters: readonly DevicePreviewFilter[];
      /** Names of the groups asked for; empty: all of them. */
      readonly groups: readonly string[];
      readonly rows: readonly PreviewedDeviceLine[];
      /** Null where the service did not say. */
      readonly total: number | null;
      readonly asOf: Instant;
    }
  | {
      readonly kind: 'organization';
      /** Null: the key does not see the organization that is set. */
      readonly organization: Organization | null;
      readonly id: number;
      readonly asOf: Instant;
    };
