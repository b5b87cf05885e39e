/** Which devices a question means: words and filters against a snapshot. Pure. */
import { systemName } from '../fleet/system.ts';
import { groupLabel } from '../inventory/directory.ts';
import type { IndexedDevice, Snapshot } from '../inventory/inventory.ts';
import { nearestOrAny } from '../inventory/nearest.ts';
import { fold } from '../text.ts';
import type { UsageFault } from '../views/model.ts';
import {
  CONDITION_NAMES,
  CONDITIONS,
  type DeviceFilter,
  filterText,
  type Matcher,
} from './device-filters.ts';
import { unknownWord } from './faults.ts';
import { groupsNamed } from './group-members.ts';

/** A value that nothing in the fleet has, so that an empty list would hide a slip of the pen. */
export type UnknownValue =
  | { readonly kind: 'group'; readonly value: string; readonly nearest: readonly string[] }
  | { readonly kind: 'word'; readonly fault: UsageFault };

export type Selected =
  | {
      readonly kind: 'devices';
      /** The best first; without words by name. */
      readonly devices: readonly IndexedDevice[];
      /** No device has all the words as they were typed: these come near. */
      readonly close: boolean;
    }
  | { readonly kind: 'unknown'; readonly unknown: UnknownValue };

/** The devices that hold every word and pass every filter; several groups or systems mean any of them. */
export function select(
  snapshot: Snapshot,
  words: readonly string[],
  filters: readonly DeviceFilter[],
): Selected {
  const all: Matcher[] = [];
  const any: Readonly<Record<'group' | 'os', Matcher[]>> = { group: [], os: [] };
  for (const filter of filters) {
    const matcher = matcherOf(filter, snapshot);
    if (typeof matcher !== 'function') return { kind: 'unknown', unknown: matcher };
    if (filter.negated) all.push((device) => !matcher(device));
    else if (filter.key === 'group' || filter.key === 'os') any[filter.key].push(matcher);
    else all.push(matcher);
  }
  for (const matchers of Object.values(any)) {
    if (matchers.length > 0) all.push((device) => matchers.some((passes) => passes(device)));
  }
  const found = snapshot.search(words);
  const devices = found.devices.filter((device) => all.every((passes) => passes(device)));
  return { kind: 'devices', devices, close: found.close && devices.length > 0 };
}

function matcherOf({ key, value }: DeviceFilter, snapshot: Snapshot): Matcher | UnknownValue {
  const wanted = fold(value);
  switch (key) {
    case 'is':
      return CONDITIONS.get(wanted) ?? { kind: 'word', fault: unknownWord(`is:${value}`, CONDITION_NAMES) };
    case 'group':
      return inGroup(value, snapshot);
    case 'tag':
      return known(snapshot, { key, value, of: tags, fits: (tag) => fold(tag) === wanted });
    case 'os':
      return known(snapshot, { key, value, of: systems, fits: (system) => fold(system).includes(wanted) });
  }
}

function inGroup(value: string, { groups }: Snapshot): Matcher | UnknownValue {
  const members = groupsNamed(value, groups.values());
  if (members.size > 0) return ({ groupId }) => groupId !== null && members.has(groupId);
  return { kind: 'group', value, nearest: nearestOrAny(value, [...groups.values()].map(groupLabel)) };
}

type Fact = {
  readonly key: 'tag' | 'os';
  readonly value: string;
  readonly of: (device: IndexedDevice) => readonly string[];
  readonly fits: (value: string) => boolean;
};

function known({ devices }: Snapshot, { key, value, of, fits }: Fact): Matcher | UnknownValue {
  const matches: Matcher = (device) => of(device).some(fits);
  if (devices.some(matches)) return matches;
  const offered = nearestOrAny(value, new Set(devices.flatMap(of))).map((name) => filterText(key, name));
  return { kind: 'word', fault: { kind: 'unknown-word', word: filterText(key, value), nearest: offered } };
}

function tags({ tags: all }: IndexedDevice): readonly string[] {
  return all;
}

/** As it is shown, so that what was read can be asked for. */
function systems(device: IndexedDevice): readonly string[] {
  return [device.osFamily ?? '', device.osName ?? '', systemName(device) ?? ''].filter((part) => part !== '');
}
