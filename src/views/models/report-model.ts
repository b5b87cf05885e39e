/** Views of groups, policies, compliance, filter previews and the organization. */

import type { Organization, Policy } from '../../fleet/model/policy.ts';
import type { DevicePreviewFilter, PreviewedDevice } from '../../fleet/model/preview-query.ts';
import type { Group } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { Completeness } from '../fleet/completeness.ts';
import type { Paging } from '../model.ts';
import type { ReadOnlyReader } from './device-model.ts';

/** A command with its input, for a button. */
export type CommandChoice = { readonly command: string; readonly input: unknown };

/** A row of the tree of groups. */
export type GroupRow = {
  readonly id: GroupId;
  readonly name: string;
  /** 0 for top-level groups, whose parent is only the Default group. */
  readonly depth: number;
  /** Without subgroups. */
  readonly devices: number;
  readonly refreshIntervalMinutes: number | null;
  readonly policies: number;
};

/** A policy with its groups; the name is null for a group that is not known. */
export type PolicyLine = {
  readonly policy: Policy;
  readonly groups: readonly { readonly id: GroupId; readonly name: string | null }[];
};

/** A device that the filters match. The service's answer has only the OS family, so the name comes from the device index. */
export type PreviewedDeviceLine = PreviewedDevice & {
  /** Absent where the device index does not have the device. */
  readonly osName?: string;
};

/** A policy of a group, or a group of a policy, with the number of devices that are not compliant. */
export type CompliancePart = { readonly name: string; readonly noncompliant: number };

/** Compliance of one group, without subgroups, or of one policy. `unstated`: devices for which the service states none. */
export type ComplianceRow = {
  readonly name: string;
  readonly devices: number;
  readonly noncompliant: number;
  readonly unstated: number;
  /** The policies of a group or the groups of a policy, most devices first. */
  readonly parts?: readonly CompliancePart[];
  /** Lists the devices that are not compliant; null where the group's name is not known. */
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
      /** Names of the parent groups, outermost first. */
      readonly above: readonly string[];
      readonly policies: readonly { readonly id: PolicyId; readonly name: string | null }[];
      /** Without subgroups. */
      readonly devices: number;
      /** With subgroups. */
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
  /** Several groups or policies have the name: one button for each. */
  | {
      readonly kind: 'choices';
      readonly what: 'group' | 'policy';
      readonly query: string;
      readonly rows: readonly {
        readonly id: number;
        readonly name: string;
        /** Tells it from the others of its name. */
        readonly detail: string | null;
        readonly choice: CommandChoice;
      }[];
      readonly total: number;
    }
  | ({
      readonly kind: 'compliance';
      readonly by: 'groups' | 'policies';
      /** Groups or policies with devices that are not compliant, most devices first. */
      readonly rows: readonly ComplianceRow[];
      readonly devices: number;
      readonly noncompliant: number;
      readonly unstated: number;
      readonly list: CommandChoice;
      readonly paging: Paging;
    } & Completeness)
  | {
      readonly kind: 'preview';
      /** The filters as they would be typed. */
      readonly question: string;
      /** The filters as the form takes them. */
      readonly input: unknown;
      /** The filters as they were sent to the service. */
      readonly filters: readonly DevicePreviewFilter[];
      /** Names of the groups to search; empty: all groups. */
      readonly groups: readonly string[];
      readonly rows: readonly PreviewedDeviceLine[];
      /** Null where the service gave no total. */
      readonly total: number | null;
      readonly asOf: Instant;
    }
  | {
      readonly kind: 'organization';
      /** Null: Patchbay's API key does not see the configured organization. */
      readonly organization: Organization | null;
      readonly id: number;
      readonly asOf: Instant;
    };
