/** What an approver sees of the thing that an edit changes: types only. */
import type { Instant } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { Group } from '../model/resources.ts';

/** The fields of a device that an edit may change, as they are. */
export type EditableFields = {
  readonly customName: string | null;
  readonly exception: boolean | null;
  readonly tags: readonly string[];
  readonly addresses: readonly string[];
  /** Name of the group that the device is to move to; null where it stays, or where no such group is known. */
  readonly intoGroup: string | null;
};

export type NamedPolicy = {
  readonly id: PolicyId;
  /** Null: the service knows no policy of this number. */
  readonly name: string | null;
  /** Of the configuration and schedule of one that the group is to get; absent of one that it has. */
  readonly digest?: string | null;
};

/** A group as it is, with the names of what it points at. */
export type GroupSnapshot = Pick<
  Group,
  'name' | 'parentId' | 'refreshIntervalMinutes' | 'color' | 'notes' | 'osAutoUpdate' | 'wsus' | 'deviceCount'
> & {
  readonly parentName: string | null;
  /** Their names are read where the edit changes them. */
  readonly policies: readonly NamedPolicy[];
};

/** The facts about a group that is to be made or changed; no device belongs to them. */
export type GroupFacts = {
  readonly deviceId: null;
  /** Null: it is to be made. */
  readonly groupId: GroupId | null;
  readonly displayName: string;
  /** As it is; null where it is to be made. */
  readonly group: GroupSnapshot | null;
  /** What the edit names, by name; null where it names no parent, or none that is known. */
  readonly parentName: string | null;
  readonly policies: readonly NamedPolicy[];
  /** Another group that has the wanted name below the wanted parent. */
  readonly twin: GroupId | null;
  readonly asOf: Instant;
};
