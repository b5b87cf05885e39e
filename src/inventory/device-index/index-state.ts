/** What is known of the fleet: its rows in memory and, beside them, what the last whole walk found. */

import type { Group } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import { createInterner, type Interner } from './indexed-device.ts';
import { createRowStore, type RowStore } from './row-store.ts';

export type PolicyName = { readonly id: PolicyId; readonly name: string; readonly type: string | null };

/** What a walk that came to its end leaves behind. */
export type WalkSummary = {
  /** When it began. */
  readonly asOf: Instant;
  readonly unlisted: number;
};

export type IndexState = {
  readonly rowStore: RowStore;
  readonly interner: Interner;
  /** Null: no walk has come to its end, ever. */
  readonly lastWalk: () => WalkSummary | null;
  readonly setLastWalk: (findings: WalkSummary) => void;
  readonly groups: () => ReadonlyMap<GroupId, Group>;
  readonly setGroups: (groups: ReadonlyMap<GroupId, Group>) => void;
  readonly policies: () => readonly PolicyName[];
  readonly setPolicies: (policies: readonly PolicyName[]) => void;
};

export function createIndexState(): IndexState {
  let findings: WalkSummary | null = null;
  let groups: ReadonlyMap<GroupId, Group> = new Map();
  let policies: readonly PolicyName[] = [];
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
  };
}
