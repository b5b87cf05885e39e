/** The filters of `devices`: which there are, what they mean, and whether a device passes them. Pure. */
import { z } from 'zod';
import type { Device, Group } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';
import { groupLabel } from '../inventory/directory.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import { nearest } from '../inventory/nearest.ts';
import { fold } from '../text.ts';
import type { UsageFault } from '../views/model.ts';
import { unknownWord } from './faults.ts';
import type { Filter } from './grammar.ts';

type Matcher = (device: Device) => boolean;

/** What `is:` can ask. A fact that the service did not state is neither so nor not so: `-is:` then passes. */
const CONDITIONS: ReadonlyMap<string, Matcher> = new Map([
  ['needs-reboot', (device: Device) => device.needsReboot === true],
  ['online', (device: Device) => device.connected === true],
  ['offline', (device: Device) => device.connected === false],
  ['pending', (device: Device) => device.pending === true || (device.pendingPatches ?? 0) > 0],
  ['noncompliant', (device: Device) => device.compliant === false],
  ['exception', (device: Device) => device.exception === true],
  ['attention', (device: Device) => device.needsAttention === true],
]);

const KEYS = ['group', 'os', 'tag', 'is'] as const;
/** What can be asked, for help texts. */
export const CONDITION_NAMES = [...CONDITIONS.keys()];

export const deviceFilter = z.object({ key: z.enum(KEYS), value: z.string(), negated: z.boolean() });
export type DeviceFilter = z.infer<typeof deviceFilter>;

export type ReadFilter =
  | { readonly kind: 'filter'; readonly filter: DeviceFilter }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** A filter that this command knows, or the word named back. */
export function readFilter({ key: typed, value, negated, text }: Filter): ReadFilter {
  const key = KEYS.find((known) => known === typed);
  if (key === undefined) {
    const offered = nearest(typed, KEYS).map((known) => `${known}:`);
    return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest: offered } };
  }
  if (value === '') {
    return {
      kind: 'fault',
      fault: { kind: 'bad-value', word: text, expected: 'a value right after the colon' },
    };
  }
  if (key === 'is' && !CONDITIONS.has(fold(value))) {
    const known = CONDITION_NAMES.map((name) => `is:${name}`);
    return { kind: 'fault', fault: unknownWord(text, known) };
  }
  return { kind: 'filter', filter: { key, value, negated } };
}

/** A value that nothing in the fleet has, so that an empty list would hide a slip of the pen. */
export type UnknownValue =
  | { readonly kind: 'group'; readonly value: string; readonly nearest: readonly string[] }
  | { readonly kind: 'word'; readonly fault: UsageFault };

export type Selected =
  | { readonly kind: 'devices'; readonly devices: readonly Device[] }
  | { readonly kind: 'unknown'; readonly unknown: UnknownValue };

/** The devices that hold every free word and pass every filter; several groups or systems mean any of them. */
export function select(
  { devices, groups }: Snapshot,
  words: readonly string[],
  filters: readonly DeviceFilter[],
): Selected {
  const tests = new Map<
    string,
    { readonly any: boolean; readonly passes: ((device: Device) => boolean)[] }
  >();
  for (const filter of filters) {
    const matched = matcher(filter, devices, groups);
    if (typeof matched !== 'function') return { kind: 'unknown', unknown: matched };
    const any = !filter.negated && (filter.key === 'group' || filter.key === 'os');
    const name = any ? filter.key : 'every';
    const passes = filter.negated ? (device: Device) => !matched(device) : matched;
    tests.set(name, { any, passes: [...(tests.get(name)?.passes ?? []), passes] });
  }
  const folded = words.map(fold);
  const chosen = devices.filter(
    (device) =>
      folded.every((word) => holds(device, word)) &&
      [...tests.values()].every(({ any, passes }) =>
        any ? passes.some((test) => test(device)) : passes.every((test) => test(device)),
      ),
  );
  return { kind: 'devices', devices: chosen };
}

function holds(device: Device, word: string): boolean {
  return [device.name, device.customName ?? '', `#${device.id}`].some((name) => fold(name).includes(word));
}

function matcher(
  { key, value }: DeviceFilter,
  devices: readonly Device[],
  groups: ReadonlyMap<GroupId, Group>,
): Matcher | UnknownValue {
  const wanted = fold(value);
  switch (key) {
    case 'is':
      return CONDITIONS.get(wanted) ?? { kind: 'word', fault: unknownWord(`is:${value}`, CONDITION_NAMES) };
    case 'group':
      return groupMatcher(value, groups);
    case 'tag':
      return known(
        'tag',
        value,
        devices,
        (device) => device.tags,
        (tag) => fold(tag) === wanted,
      );
    case 'os':
      return known('os', value, devices, systems, (system) => fold(system).includes(wanted));
  }
}

function systems(device: Device): readonly string[] {
  const { osFamily, osName, osVersion } = device;
  const full = [osName, osVersion].filter((part) => part !== null).join(' ');
  return [osFamily ?? '', osName ?? '', full].filter((part) => part !== '');
}

function known(
  key: string,
  value: string,
  devices: readonly Device[],
  values: (device: Device) => readonly string[],
  fits: (value: string) => boolean,
): Matcher | UnknownValue {
  const matches = (device: Device) => values(device).some(fits);
  if (devices.some(matches)) return matches;
  const existing = nearest(value, new Set(devices.flatMap((device) => [...values(device)])));
  const offered = existing.map((name) => filterText(key, name));
  return { kind: 'word', fault: { kind: 'unknown-word', word: filterText(key, value), nearest: offered } };
}

/** A filter as it would be typed. */
export function filterText(key: string, value: string, negated = false): string {
  const quoted = /[\s'"]/.test(value) ? `"${value}"` : value;
  return `${negated ? '-' : ''}${key}:${quoted}`;
}

/** A group means its subgroups too; the default group, above all others, means only itself (§2.1). */
function groupMatcher(value: string, groups: ReadonlyMap<GroupId, Group>): Matcher | UnknownValue {
  const wanted = new Set([fold(value), `${fold(value)} group`]);
  const all = [...groups.values()];
  const exact = all.filter((group) => fold(groupLabel(group)) === fold(value));
  const named =
    exact.length > 0 ? exact : all.filter((group) => isDefault(group) && wanted.has(fold(groupLabel(group))));
  if (named.length === 0) return { kind: 'group', value, nearest: nearest(value, all.map(groupLabel)) };
  const members = new Set(named.map((group) => group.id));
  const above = new Set(named.filter((group) => !isDefault(group)).map((group) => group.id));
  for (let grown = true; grown; ) {
    const below = all.filter(
      ({ id, parentId }) => parentId !== null && above.has(parentId) && !above.has(id),
    );
    for (const { id } of below) {
      above.add(id);
      members.add(id);
    }
    grown = below.length > 0;
  }
  return (device) => device.groupId !== null && members.has(device.groupId);
}

function isDefault(group: Group): boolean {
  return group.parentId === group.id || fold(group.name) === '';
}
