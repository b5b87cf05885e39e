/** What an approver sees of the thing that an edit changes: types only. */
import type { Instant } from '../../lib/clock.ts';
import type { GroupId } from '../../lib/ids.ts';
import type { Group } from '../model/resources.ts';
import type { NamedPolicy } from './named-policy.ts';
import type { GroupRemovalFacts } from './removal-facts.ts';

/** The fields of a device that an edit may change, as they are. */
export type EditableFields = {
  readonly customName: string | null;
  readonly exception: boolean | null;
  readonly tags: readonly string[];
  readonly addresses: readonly string[];
  /** Name of the group to move to; null when the device stays, or when no such group is known. */
  readonly intoGroup: string | null;
  /** Those that apply because of the edit: of the group to move to, or by tags. Absent: it names no group and no tags. */
  readonly policies?: readonly NamedPolicy[];
};

/** A group as it is, with the names of what it refers to. */
export type GroupSnapshot = Pick<
  Group,
  'name' | 'parentId' | 'refreshIntervalMinutes' | 'color' | 'notes' | 'osAutoUpdate' | 'wsus' | 'deviceCount'
> & {
  readonly parentName: string | null;
  /** Names are read only where the edit changes the policies. */
  readonly policies: readonly NamedPolicy[];
};

/** The facts about a group that is to be created, changed or removed. No device belongs to them. */
export type GroupFacts = {
  readonly deviceId: null;
  /** Null: it is to be created. */
  readonly groupId: GroupId | null;
  readonly displayName: string;
  /** The group as it is; null when it is to be created. */
  readonly group: GroupSnapshot | null;
  /** Name of the parent that the edit sets; null when it sets none, or none that is known. */
  readonly parentName: string | null;
  readonly policies: readonly NamedPolicy[];
  /** Another group with the wanted name below the wanted parent. */
  readonly twin: GroupId | null;
  /** What goes with it, where it is to be removed. */
  readonly removal?: GroupRemovalFacts;
  readonly asOf: Instant;
};
