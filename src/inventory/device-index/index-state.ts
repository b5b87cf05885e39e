/** What is known about the fleet: the rows in memory, and the findings of the last complete walk. */

import type { Group } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId, PolicyId } from '../../lib/ids.ts';
import { createInterner, type Interner } from './indexed-device.ts';
import { createRowStore, type RowStore } from './row-store.ts';

export type PolicyName = { readonly id: PolicyId; readonly name: string; readonly type: string | null };

/** The findings of a complete fleet walk. */
export type WalkSummary = {
  /** When the walk began. */
  readonly asOf: Instant;
  readonly unlisted: number;
};

export const LIST_KINDS = ['devices', 'groups', 'policies'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** A list lacks so much of what is known that it is not believed: what it lacks is kept. */
export type ListDoubt = {
  readonly list: ListKind;
  readonly since: Instant;
  /** How many it lacks. */
  readonly missing: number;
  /** When some of them were last read by id. */
  readonly checkedAt: Instant;
  /** The id of one that was there; null: none was read yet. */
  readonly alive: number | null;
};

export type IndexState = {
  readonly rowStore: RowStore;
  readonly interner: Interner;
  /** Null: no walk was ever completed. */
  readonly lastWalk: () => WalkSummary | null;
  readonly setLastWalk: (findings: WalkSummary) => void;
  readonly groups: () => ReadonlyMap<GroupId, Group>;
  readonly setGroups: (groups: ReadonlyMap<GroupId, Group>) => void;
  readonly policies: () => readonly PolicyName[];
  readonly setPolicies: (policies: readonly PolicyName[]) => void;
  readonly doubts: () => readonly ListDoubt[];
  /** Null: the list is believed. */
  readonly setDoubt: (list: ListKind, doubt: ListDoubt | null) => void;
  /** Called with each device that is connected again. */
  readonly onReturn: (listener: (id: DeviceId) => void) => void;
  readonly noteReturn: (id: DeviceId) => void;
};

/** An empty index. */
export function createIndexState(): IndexState {
  let findings: WalkSummary | null = null;
  let groups: ReadonlyMap<GroupId, Group> = new Map();
  let policies: readonly PolicyName[] = [];
  const doubts = new Map<ListKind, ListDoubt>();
  let returned = (_id: DeviceId): void => {};
  return {
    rowStore: createRowStore(),
    interner: createInterner(),
    lastWalk: () => findings,
    setLastWalk: (next) => {
      findings = next;
    },
    groups: () => groups,
    setGroups: (next) => {
      groups = next;
    },
    policies: () => policies,
    setPolicies: (next) => {
      policies = next;
    },
    doubts: () => [...doubts.values()],
    setDoubt: (list, doubt) => {
      if (doubt === null) doubts.delete(list);
      else doubts.set(list, doubt);
    },
    onReturn: (listener) => {
      returned = listener;
    },
    noteReturn: (id) => returned(id),
  };
}
