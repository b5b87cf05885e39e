/** Rows of lists of groups, policies, compliance and filter previews. */

import type { PreviewedDevice } from '../../fleet/fleet.ts';
import type { Policy } from '../../fleet/model/policy.ts';
import type { GroupId } from '../../lib/ids.ts';

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
