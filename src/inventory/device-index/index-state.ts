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
  /** Called with each device that is connected again. */
  readonly onReturn: (listener: (id: DeviceId) => void) => void;
  readonly noteReturn: (id: DeviceId) => void;
};

/** An empty index. */
export function createIndexState(): IndexState {
  let findings: WalkSummary | null = null;
  let groups: ReadonlyMap<GroupId, Group> = new Map();
  let policies: readonly PolicyName[] = [];
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
    onReturn: (listener) => {
      returned = listener;
    },
    noteReturn: (id) => returned(id),
  };
}
