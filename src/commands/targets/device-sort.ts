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
  const chosen = new Set(devices);
  const byName = snapshot.devices.filter((device) => chosen.has(device));
  if (by === 'name') return reversed ? byName.toReversed() : byName;
  const places = placesBy(by, byName, snapshot);
  const sign = reversed ? -1 : 1;
  return byName
    .map((device) => ({ device, place: places(device) }))
    .sort((a, b) => {
      if (a.place === null || b.place === null) return Number(a.place === null) - Number(b.place === null);
      return sign * (a.place - b.place);
    })
    .map(({ device }) => device);
}

type Place = (device: IndexedDevice) => number | null;

function placesBy(
  by: Exclude<DeviceSort['by'], 'name'>,
  devices: readonly IndexedDevice[],
  snapshot: Pick<Snapshot, 'groups'>,
): Place {
  switch (by) {
    case 'seen':
      return ({ connected, seenMinute }) =>
        connected === true ? Number.MIN_SAFE_INTEGER : seenMinute === null ? null : -seenMinute;
    case 'pending':
      return ({ pendingPatches }) => (pendingPatches === null ? null : -pendingPatches);
    case 'group': {
      const names = new Map([...snapshot.groups.keys()].map((id) => [id, groupNameIn(snapshot, id)]));
      return ranked(devices, ({ groupId }) => (groupId === null ? null : (names.get(groupId) ?? null)));
    }
    case 'os':
      return ranked(devices, systemName);
  }
}

/** Few names among many devices: these are compared once each. */
function ranked(devices: readonly IndexedDevice[], of: (device: IndexedDevice) => string | null): Place {
  const names = new Set(devices.map(of).filter((name) => name !== null));
  const ranks = new Map([...names].sort(compareNames).map((name, rank) => [name, rank]));
  return (device) => ranks.get(of(device) ?? '') ?? null;
}
