/**
 * Which devices a question means: words and filters against a snapshot. A space means and; `or` means either of the two
 * it stands between, and a comma in a value any of these values. Pure.
 */

import { isNot } from '../../inventory/device-counts.ts';
import type { IndexedDevice, Snapshot } from '../../inventory/inventory.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceFilter, DeviceMatcher } from './device-filters.ts';
import { deviceMatcher, type FilterReadings, type UnknownValue } from './device-matchers.ts';
import { type DeviceSort, sortDevices } from './device-sort.ts';

export type DeviceSelection = {
  /** `or` among them stands between two. */
  readonly words: readonly string[];
  readonly filters: readonly DeviceFilter[];
  readonly sort?: DeviceSort | undefined;
};

export type SelectedDevices =
  | {
      readonly kind: 'devices';
      /** As asked for; else the best first, and without words by name. */
      readonly devices: readonly IndexedDevice[];
      /** Whether these fit is unknown: the service does not state what a filter asks. */
      readonly unstated: readonly IndexedDevice[];
      /** No device has all the words as they were typed: these come near. */
      readonly isCloseMatch: boolean;
    }
  | { readonly kind: 'unknown'; readonly unknown: UnknownValue };

/** The devices that fit the whole question. */
export function selectDevices(
  snapshot: Snapshot,
  { words, filters, sort }: DeviceSelection,
  now: Instant,
  readings: FilterReadings = {},
): SelectedDevices {
  const passes = filterMatcher(filters, (filter) => deviceMatcher(filter, snapshot, now, readings));
  if (typeof passes !== 'function') return { kind: 'unknown', unknown: passes };
  const clauses = alternatives(words);
  const found = snapshot.search(
    clauses === null ? words : clauses.map((clause) => (clause.length > 1 ? clause : clause.join(''))),
  );
  const fitting = filters.length === 0 ? null : Map.groupBy(found.devices, passes);
  const devices = fitting === null ? found.devices : (fitting.get(true) ?? []);
  return {
    kind: 'devices',
    devices: sort === undefined ? devices : sortDevices(devices, sort, snapshot),
    unstated: fitting?.get(null) ?? [],
    isCloseMatch: found.isApproximate && devices.length > 0,
  };
}

/** The words with `or` in place of commas between them. A word in quotes that has a space keeps its commas. */
export function commasAsOr(words: readonly string[]): readonly string[] {
  const parts = words
    .flatMap((word) => (word.includes(' ') ? [word] : word.split(/(,)/)))
    .filter((part) => part !== '');
  const isWord = (part: string | undefined) => part !== undefined && part !== ',' && !isOr(part);
  return parts.flatMap((part, at) => {
    if (part !== ',') return [part];
    const before = parts.slice(0, at).findLast((one) => one !== ',');
    return isWord(before) && isWord(parts[at + 1]) ? ['or'] : [];
  });
}

export function joinedByOr(words: readonly string[]): string[] {
  return words.flatMap((word, at) => (at === 0 ? [word] : ['or', word]));
}

export function isOr(word: string): boolean {
  return word.toLowerCase() === 'or';
}

/** Of what `or` stands between: each of the lists, where a list is a single one that nothing is beside. */
export function alternatives(words: readonly string[]): readonly (readonly string[])[] | null {
  const clauses: string[][] = [];
  let joins = false;
  for (const [at, word] of words.entries()) {
    const isNextOr = isOr(word);
    if (isNextOr && (joins || at === 0 || at === words.length - 1)) return null;
    const last = clauses.at(-1);
    if (!isNextOr && joins && last !== undefined) last.push(word);
    else if (!isNextOr) clauses.push([word]);
    joins = isNextOr;
  }
  return clauses;
}

/** A device has one group and one system, so several of these mean any of them. */
const NO_ALTERNATIVES: readonly string[] = ['group', 'os'];

/** What these ask is not in the device index. */
const TAKES_READING: readonly string[] = ['missing', 'powershell'];

/** The first value that nothing in the fleet has; null: each stands for something. */
export function unknownFilterValue(
  filters: readonly DeviceFilter[],
  snapshot: Snapshot,
  now: Instant,
): UnknownValue | null {
  for (const filter of filters.filter(({ key }) => !TAKES_READING.includes(key))) {
    const matcher = deviceMatcher(filter, snapshot, now);
    if (typeof matcher !== 'function') return matcher;
  }
  return null;
}

function filterMatcher(
  filters: readonly DeviceFilter[],
  matcherOf: (filter: DeviceFilter) => DeviceMatcher | UnknownValue,
): DeviceMatcher | UnknownValue {
  const clauses: { readonly either: DeviceMatcher[]; readonly key: string | null }[] = [];
  for (const [at, filter] of filters.entries()) {
    const matcher = matcherOf(filter);
    if (typeof matcher !== 'function') return matcher;
    const passes = filter.negated ? not(matcher) : matcher;
    const isAlone = filter.or !== true && filters[at + 1]?.or !== true && !filter.negated;
    const key = isAlone && NO_ALTERNATIVES.includes(filter.key) ? filter.key : null;
    const clause =
      filter.or === true ? clauses.at(-1) : clauses.find((one) => key !== null && one.key === key);
    if (clause === undefined) clauses.push({ either: [passes], key });
    else clause.either.push(passes);
  }
  return not(anyOf(clauses.map(({ either }) => not(anyOf(either)))));
}

function not(matcher: DeviceMatcher): DeviceMatcher {
  return (device) => isNot(matcher(device));
}

/** Unknown where none passes and one may. */
function anyOf(matchers: readonly DeviceMatcher[]): DeviceMatcher {
  return (device) => {
    let fits: boolean | null = false;
    for (const matcher of matchers) {
      const one = matcher(device);
      if (one === true) return true;
      if (one === null) fits = null;
    }
    return fits;
  };
}
