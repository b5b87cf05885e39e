/** The orders of a list of devices. Pure. */
import { z } from 'zod';
import { systemName } from '../../fleet/model/derived-fields.ts';
import { groupNameIn, type IndexedDevice, type Snapshot } from '../../inventory/inventory.ts';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import { compareNames, fold } from '../../lib/text.ts';
import type { UsageFault } from '../../views/model.ts';
import type { FilterToken } from '../parser/tokenizer.ts';

export const DEVICE_SORTS = ['name', 'group', 'seen', 'pending', 'os'] as const;

export const deviceSort = z.object({ by: z.enum(DEVICE_SORTS), reversed: z.boolean() });
export type DeviceSort = z.infer<typeof deviceSort>;

export type ParsedSort =
  | { readonly kind: 'sort'; readonly sort: DeviceSort }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** Parses the value of `sort:`. */
export function parseSort({ value, negated, text }: FilterToken): ParsedSort {
  const by = DEVICE_SORTS.find((known) => known === fold(value));
  if (by !== undefined) return { kind: 'sort', sort: { by, reversed: negated } };
  const nearest = nearestNamesOrAll(value, DEVICE_SORTS).map((known) => `sort:${known}`);
  return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest } };
}

export function sortText({ by, reversed }: DeviceSort): string {
  return `${reversed ? '-' : ''}sort:${by}`;
}

/**
 * Sorts by name, group or OS; `seen`: most recent first; `pending`: most patches first. Equal devices are sorted by name,
 * and devices without a value come last in either direction.
 */
export function sortDevices(
  devices: readonly IndexedDevice[],
  { by, reversed }: DeviceSort,
  snapshot: Pick<Snapshot, 'devices' | 'groups'>,
): readonly IndexedDevice[] {
  const byName = sortByName(devices, snapshot);
  if (by === 'name') return reversed ? byName.toReversed() : byName;
  const sign = reversed ? -1 : 1;
  // Many devices share a key, so the keys are sorted, not the devices.
  const alike = [...Map.groupBy(byName, sortKeyOf(by, snapshot))].sort(([a], [b]) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compareKeys(a, b);
  });
  return alike.flatMap(([, same]) => same);
}

function sortByName(
  devices: readonly IndexedDevice[],
  snapshot: Pick<Snapshot, 'devices'>,
): readonly IndexedDevice[] {
  if (devices === snapshot.devices) return devices;
  const chosen = new Set(devices);
  return snapshot.devices.filter((device) => chosen.has(device));
}

/** The sort key of a device; null where the service does not state it. */
type SortKey = string | number;

function sortKeyOf(
  by: Exclude<DeviceSort['by'], 'name'>,
  snapshot: Pick<Snapshot, 'groups'>,
): (device: IndexedDevice) => SortKey | null {
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

/** All keys of one sort order have the same type. */
function compareKeys(a: SortKey, b: SortKey): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareNames(String(a), String(b));
}
