/** What is known about the fleet: the rows in memory, and the findings of the last complete walk. */

import { z } from 'zod';
import type { Group } from '../../fleet/model/resources.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import {
  instantField,
  nullableText,
  policyField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import { createInterner } from './indexed-device.ts';
import { createRowStore } from './row-store.ts';

export const policyName = z.object({ id: policyField, name: z.string(), type: nullableText });
export type PolicyName = Stored<typeof policyName>;

export const walkSummary = z.object({
  /** When the walk began. */
  asOf: instantField,
  unlisted: wholeNumber,
});
export type WalkSummary = Stored<typeof walkSummary>;

export const LIST_KINDS = ['devices', 'groups', 'policies'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** A list lacks so much of what is known that it is not believed: what it lacks is kept. */
export const listDoubt = z.object({
  list: z.enum(LIST_KINDS),
  since: instantField,
  /** How many it lacks. */
  missing: wholeNumber,
  /** When some of them were last read by id. */
  checkedAt: instantField,
  /** The id of one that was there; null: none was read yet. */
  alive: wholeNumber.nullable(),
});
export type ListDoubt = Stored<typeof listDoubt>;

export type IndexState = Readonly<ReturnType<typeof createIndexState>>;

export function createIndexState() {
  let findings: WalkSummary | null = null;
  let groups: ReadonlyMap<GroupId, Group> = new Map();
  let policies: readonly PolicyName[] = [];
  const doubts = new Map<ListKind, ListDoubt>();
  let returned = (_id: DeviceId): void => {};
  return {
    rowStore: createRowStore(),
    interner: createInterner(),
    /** Null: no walk was ever completed. */
    lastWalk: (): WalkSummary | null => findings,
    setLastWalk: (next: WalkSummary): void => {
      findings = next;
    },
    groups: (): ReadonlyMap<GroupId, Group> => groups,
    setGroups: (next: ReadonlyMap<GroupId, Group>): void => {
      groups = next;
    },
    policies: (): readonly PolicyName[] => policies,
    setPolicies: (next: readonly PolicyName[]): void => {
      policies = next;
    },
    doubts: (): readonly ListDoubt[] => [...doubts.values()],
    /** Null: the list is believed. */
    setDoubt: (list: ListKind, doubt: ListDoubt | null): void => {
      if (doubt === null) doubts.delete(list);
      else doubts.set(list, doubt);
    },
    /** Called with each device that is connected again. */
    onReturn: (listener: (id: DeviceId) => void): void => {
      returned = listener;
    },
    noteReturn: (id: DeviceId): void => returned(id),
  };
}
