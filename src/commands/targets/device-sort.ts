/** The orders of a list of devices. Pure. */
import { z } from 'zod';
import { systemName } from '../../fleet/system.ts';
import { groupNameIn } from '../../inventory/directory.ts';
import type { IndexedDevice, Snapshot } from '../../inventory/inventory.ts';
import { nearestOrAny } from '../../inventory/nearest.ts';
import { compareNames, fold } from '../../text.ts';
import type { UsageFault } from '../../views/model.ts';
import type { Filter } from '../line/grammar.ts';

export const SORTS = ['name', 'group', 'seen', 'pending', 'os'] as const;

export const deviceSort = z.object({ by: z.enum(SORTS), reversed: z.boolean() });
export type DeviceSort = z.infer<typeof deviceSort>;

export type ReadSort =
  | { readonly kind: 'sort'; readonly sort: DeviceSort }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** What follows `sort:`. */
export function readSort({ value, negated, text }: Filter): ReadSort {
  const by = SORTS.find((known) => known === fold(value));
  if (by !== undefined) return { kind: 'sort', sort: { by, reversed: negated } };
  const nearest = nearestOrAny(value, SORTS).map((known) => `sort:${known}`);
  return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest } };
}

export function sortText({ by, reversed }: DeviceSort): string {
  return `${reversed ? '-' : ''}sort:${by}`;
}

/**
 * By name; by group, by system; those seen last first; those with the most pending patches first. Those that are equal
 * stand by name, those of which it is not stated at the end, whichever way round.
 */
export function sorted(
  devices: readonly IndexedDevice[],
  { by, reversed }: DeviceSort,
  snapshot: Pick<Snapshot, 'devices' | 'groups'>,
): readonly IndexedDevice[] {
  const byName = inOrderOfNames(devices, snapshot);
  if (by === 'name') return reversed ? byName.toReversed() : byName;
  const sign = reversed ? -1 : 1;
  // Many devices share a key: the keys are put in order, not the devices.
  const alike = [...Map.groupBy(byName, keyBy(by, snapshot))].sort(([a], [b]) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compareKeys(a, b);
  });
  return alike.flatMap(([, same]) => same);
}

function inOrderOfNames(
  devices: readonly IndexedDevice[],
  snapshot: Pick<Snapshot, 'devices'>,
): readonly IndexedDevice[] {
  if (devices === snapshot.devices) return devices;
  const chosen = new Set(devices);
  return snapshot.devices.filter((device) => chosen.has(device));
}

/** What devices are ordered by; null where it is not stated. */
type Key = string | number;

function keyBy(
  by: Exclude<DeviceSort['by'], 'name'>,
  snapshot: Pick<Snapshot, 'groups'>,
): (device: IndexedDevice) => Key | null {
  switch (by) {
    case 'seen':
      return ({ connected, seenMinute }) =>
        connected === true ? Number.MIN_SAFE_INTEGER : seenMinute === null ? null : -seenMinute;
    case 'pending':
      return ({ pendingPatches }) => (pendingPatches === null ? null : -pendingPatches);
    case 'group': {
      const names = new Map([...snapshot.groups.keys()].map((id) => [id, groupNameIn(snapshot, id)]));
      return ({ groupId }) => (groupId === null ? null : (names.get(groupId) ?? null));
    }
    case 'os':
      return systemName;
  }
}

/** All keys of one order are of one kind. */
function compareKeys(a: Key, b: Key): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b));
}
