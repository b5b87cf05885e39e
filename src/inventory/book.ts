/** What is known of the fleet: its rows in memory and, beside them, what the last whole walk found. */
import type { Instant } from '../clock.ts';
import type { Group } from '../fleet/model.ts';
import type { GroupId, PolicyId } from '../ids.ts';
import { createShared, type Shared } from './row.ts';
import { createShelf, type Shelf } from './shelf.ts';

export type PolicyName = { readonly id: PolicyId; readonly name: string; readonly type: string | null };

/** What a walk that came to its end leaves behind. */
export type Findings = {
  /** When it began. */
  readonly asOf: Instant;
  readonly unlisted: number;
};

export type Book = {
  readonly shelf: Shelf;
  readonly shared: Shared;
  /** Null: no walk has come to its end, ever. */
  readonly findings: () => Findings | null;
  readonly setFindings: (findings: Findings) => void;
  readonly groups: () => ReadonlyMap<GroupId, Group>;
  readonly setGroups: (groups: ReadonlyMap<GroupId, Group>) => void;
  readonly policies: () => readonly PolicyName[];
  readonly setPolicies: (policies: readonly PolicyName[]) => void;
};

export function createBook(): Book {
  let findings: Findings | null = null;
  let groups: ReadonlyMap<GroupId, Group> = new Map();
  let policies: readonly PolicyName[] = [];
  return {
    shelf: createShelf(),
    shared: createShared(),
    findings: () => findings,
    setFindings: (next) => {
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
