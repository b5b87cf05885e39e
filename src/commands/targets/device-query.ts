/**
 * What a list of devices is asked for: words, filters and an order, how they are read, and written as they would be typed,
 * whole and as a channel may see it.
 */

import { z } from 'zod';
import { systemName } from '../../fleet/model/derived-fields.ts';
import { DEVICE_FACTS } from '../../inventory/device-counts.ts';
import { groupNameIn, type IndexedDevice, type Snapshot } from '../../inventory/inventory.ts';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import { hasAddress, nameContains } from '../../inventory/search/search-text.ts';
import { compareNames, fold } from '../../lib/text.ts';
import type { TypedInput } from '../core/command.ts';
import { isMalformedCve } from '../parser/missing-target.ts';
import { commaValues, type FilterToken, quoteValue, quoteWord } from '../parser/tokenizer.ts';
import { numberOf } from './name-lookup.ts';
import { uniquePolicyName } from './resolve-group-or-policy.ts';

/** Whether a device passes; null: the service does not say. */
export type Matcher<Device> = (device: Device) => boolean | null;
export type DeviceMatcher = Matcher<IndexedDevice>;

/** What `is:` can ask. A fact that the service did not state is neither so nor not so: neither `is:` nor `-is:` passes. */
export const DEVICE_CONDITIONS: ReadonlyMap<string, DeviceMatcher> = new Map(
  Object.entries(DEVICE_FACTS).filter(([name]) => name !== 'compliant'),
);

/** Of these the time decides, see `select-devices.ts`. */
export const STALE_CONDITION = 'stale';

export const CONDITION_NAMES = [...DEVICE_CONDITIONS.keys(), STALE_CONDITION];

/** Of one question. Each device is held against all of them, while everybody else waits. */
export const MAX_FILTER_VALUES = 50;

const KEYS = [
  'device',
  'group',
  'os',
  'tag',
  'ip',
  'user',
  'serial',
  'policy',
  'fails',
  'version',
  'powershell',
  'is',
  'missing',
] as const;

/** Filters of packages, which select devices as values of `missing:`. */
const PACKAGE_KEYS: readonly string[] = ['severity', 'cve'];

export function isDeviceKey(key: string): boolean {
  return KEYS.some((known) => known === key);
}

export const deviceFilter = z.object({
  key: z.enum(KEYS),
  value: z.string(),
  negated: z.boolean(),
  /** Either this one or the one before it. */
  or: z.literal(true).optional(),
});
export type DeviceFilter = z.infer<typeof deviceFilter>;

export function policyFilter(id: number): DeviceFilter {
  return { key: 'policy', value: `#${id}`, negated: false };
}

/** What these are about is personal: it is for the one who asks, and for no channel. */
export const PERSONAL_KEYS: ReadonlySet<string> = new Set<DeviceFilter['key']>(['ip', 'user', 'serial']);

/** Or the first word that will not do. `others`: keys that the command takes beside them. */
export function parseDeviceFilters(
  typed: readonly FilterToken[],
  others: readonly string[] = ['sort'],
): TypedInput<{ filters: DeviceFilter[]; sort: DeviceSort | null }> {
  const filters: DeviceFilter[] = [];
  let sort: DeviceSort | null = null;
  for (const [at, part] of typed.entries()) {
    const isJoined = part.or === true || typed[at + 1]?.or === true;
    if (part.key === 'sort') {
      if (isJoined || sort !== null) return badValue(part.text, 'one sort order, without “or”');
      const read = parseSort(part);
      if (read.kind === 'fault') return read;
      sort = read.input;
      continue;
    }
    const read = parseDeviceFilter(part, isJoined, others);
    if (read.kind === 'fault') return read;
    filters.push(...read.input);
    if (filters.length > MAX_FILTER_VALUES)
      return badValue(part.text, `at most ${MAX_FILTER_VALUES} values in all filters`);
  }
  return { kind: 'input', input: { filters, sort } };
}

/** One for each of its values: any of them, or with `-` none of them. */
function parseDeviceFilter(
  part: FilterToken,
  isJoined: boolean,
  others: readonly string[],
): TypedInput<readonly DeviceFilter[]> {
  const { key: typed, negated, text, or } = part;
  const key = KEYS.find((known) => known === typed);
  if (key === undefined && PACKAGE_KEYS.includes(typed) && part.value !== '') {
    const missing = text.replace(/^(-?)[^:]+/, '$1missing');
    return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest: [missing] } };
  }
  if (key === undefined) {
    return unknownValueFault(text, nearestNamesOrAll(typed, [...KEYS, ...others]), (name) => `${name}:`);
  }
  const values = commaValues(part);
  if (values.some((value) => value.trim() === '')) {
    return badValue(
      text,
      values.length > 1 ? 'a value on both sides of a comma' : 'a value right after the colon',
    );
  }
  if (negated && values.length > 1 && isJoined)
    return badValue(text, 'one value when “-” and “or” are combined');
  const slip = values.find((value) => key === 'is' && !CONDITION_NAMES.includes(fold(value)));
  if (slip !== undefined) {
    return unknownValueFault(
      values.length > 1 ? `is:${slip}` : text,
      nearestNamesOrAll(slip, CONDITION_NAMES),
      (name) => `is:${name}`,
    );
  }
  if (key === 'ip' && values.some((value) => hasAddress(value) === null)) {
    return badValue(text, 'an IP address, the start of one such as 10.1., or a network such as 10.1.0.0/16');
  }
  if (key === 'missing' && values.some(isMalformedCve))
    return badValue(text, 'a CVE, such as missing:CVE-2026-1234');
  const input = values.map((value, at): DeviceFilter => {
    const joined = at === 0 ? or === true : !negated;
    return { key, value: value.trim(), negated, ...(joined ? { or: true } : {}) };
  });
  return { kind: 'input', input };
}

function badValue(word: string, expected: string) {
  return { kind: 'fault', fault: { kind: 'bad-value', word, expected } } as const;
}

function unknownValueFault(word: string, names: readonly string[], offer: (name: string) => string) {
  return { kind: 'fault', fault: { kind: 'unknown-word', word, nearest: names.map(offer) } } as const;
}

export function filterText(key: string, value: string, negated = false): string {
  return `${negated ? '-' : ''}${key}:${quoteValue(value)}`;
}

export const DEVICE_SORTS = ['name', 'group', 'seen', 'pending', 'os'] as const;

const deviceSort = z.object({ by: z.enum(DEVICE_SORTS), reversed: z.boolean() });
export type DeviceSort = z.infer<typeof deviceSort>;

function parseSort({ value, negated, text }: FilterToken): TypedInput<DeviceSort> {
  const by = DEVICE_SORTS.find((known) => known === fold(value));
  if (by !== undefined) return { kind: 'input', input: { by, reversed: negated } };
  const nearest = nearestNamesOrAll(value, DEVICE_SORTS).map((known) => `sort:${known}`);
  return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest } };
}

function sortText({ by, reversed }: DeviceSort): string {
  return `${reversed ? '-' : ''}sort:${by}`;
}

/** `seen`: most recent first; `pending`: most patches first. Devices without a value come last in either direction. */
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

export const deviceListQuerySchema = z.object({
  words: z.array(z.string()),
  filters: z.array(deviceFilter),
  sort: deviceSort.optional(),
});
export type DeviceListQuery = z.infer<typeof deviceListQuerySchema>;

export function deviceQueryText({ words, filters, sort }: DeviceListQuery): string {
  const parts = filters.map(({ key, value, negated, or }) => {
    const text = filterText(key, value, negated);
    return or === true ? `or ${text}` : text;
  });
  return [...words.map(quoteWord), ...parts, ...(sort === undefined ? [] : [sortText(sort)])].join(' ');
}

const PERSONAL_PLACEHOLDER = '…';

/**
 * The same for a channel, where it differs: a list of the devices of one person, or of one address, says as much as the
 * name would. Words that are not in the names of all of them were found in something personal.
 */
export function publicTitle({ words, filters, sort }: DeviceListQuery, devices: readonly IndexedDevice[]) {
  const isPublic = (word: string, device: IndexedDevice) => /^#\d+$/.test(word) || nameContains(device, word);
  const hidden = (alternatives(words) ?? words.map((word) => [word])).filter(
    (clause) => !devices.every((device) => clause.some((word) => isPublic(word, device))),
  );
  const open: DeviceListQuery = {
    words: words.map((word) =>
      hidden.some((clause) => clause.includes(word)) ? PERSONAL_PLACEHOLDER : word,
    ),
    filters: filters.map((filter) =>
      PERSONAL_KEYS.has(filter.key) ? { ...filter, value: PERSONAL_PLACEHOLDER } : filter,
    ),
    sort,
  };
  const title = deviceQueryText(open);
  return title === deviceQueryText({ words, filters, sort }) ? {} : { publicTitle: title };
}

/** The same with the names of policies, where only one has each: nobody knows a number by heart. */
export function withPolicyNames(
  query: DeviceListQuery,
  { policies }: Pick<Snapshot, 'policies'>,
): DeviceListQuery {
  const byName = (filter: DeviceFilter): DeviceFilter => {
    const { key, value } = filter;
    const id = key === 'policy' || key === 'fails' ? numberOf(value) : null;
    // A name that looks like a number is a name.
    const name =
      id === null || policies.some((one) => one.name === value) ? null : uniquePolicyName(id, policies);
    return name === null ? filter : { ...filter, value: name };
  };
  return { ...query, filters: query.filters.map(byName) };
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
