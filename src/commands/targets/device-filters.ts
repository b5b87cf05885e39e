/** The filters of `devices`: which there are, and how they are read and written. Pure. */
import { z } from 'zod';
import { DEVICE_FACTS } from '../../inventory/device-counts.ts';
import type { IndexedDevice } from '../../inventory/inventory.ts';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import { hasAddress } from '../../inventory/search/search-text.ts';
import { fold } from '../../lib/text.ts';
import type { UsageFault } from '../../views/model.ts';
import { isMalformedCve } from '../parser/missing-target.ts';
import { commaValues, type FilterToken, quoteValue } from '../parser/tokenizer.ts';
import { type DeviceSort, parseSort } from './device-sort.ts';

/** Whether a device passes; null: the service does not say. */
export type DeviceMatcher = (device: IndexedDevice) => boolean | null;

/** What `is:` can ask. A fact that the service did not state is neither so nor not so: neither `is:` nor `-is:` passes. */
export const DEVICE_CONDITIONS: ReadonlyMap<string, DeviceMatcher> = new Map(
  Object.entries(DEVICE_FACTS).filter(([name]) => name !== 'compliant'),
);

/** Of these the time decides, see `select-devices.ts`. */
export const STALE_CONDITION = 'stale';

/** What can be asked, for help texts. */
export const CONDITION_NAMES = [...DEVICE_CONDITIONS.keys(), STALE_CONDITION];

/** Of one question. Each device is held against all of them, while everybody else waits. */
export const MAX_FILTER_VALUES = 50;

const KEYS = [
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

/** Whether a filter of this key finds devices. */
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

/** The devices that a policy applies to. */
export function policyFilter(id: number): DeviceFilter {
  return { key: 'policy', value: `#${id}`, negated: false };
}

/** What these are about is personal: it is for the one who asks, and for no channel. */
export const PERSONAL_KEYS: ReadonlySet<string> = new Set<DeviceFilter['key']>(['ip', 'user', 'serial']);

export type ParsedDeviceFilters =
  | { readonly kind: 'filters'; readonly filters: readonly DeviceFilter[]; readonly sort: DeviceSort | null }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/**
 * The filters that this command knows, and the order that is wished; or the first word that will not do. `others`: keys
 * that the command takes beside them, of which one may have been mistyped.
 */
export function parseDeviceFilters(
  typed: readonly FilterToken[],
  others: readonly string[] = ['sort'],
): ParsedDeviceFilters {
  const filters: DeviceFilter[] = [];
  let sort: DeviceSort | null = null;
  for (const [at, part] of typed.entries()) {
    const isJoined = part.or === true || typed[at + 1]?.or === true;
    if (part.key === 'sort') {
      if (isJoined || sort !== null) return badValue(part.text, 'one sort order, without “or”');
      const read = parseSort(part);
      if (read.kind === 'fault') return read;
      sort = read.sort;
      continue;
    }
    const read = parseDeviceFilter(part, isJoined, others);
    if (read.kind === 'fault') return read;
    filters.push(...read.filters);
    if (filters.length > MAX_FILTER_VALUES)
      return badValue(part.text, `at most ${MAX_FILTER_VALUES} values in all filters`);
  }
  return { kind: 'filters', filters, sort };
}

type ParsedDeviceFilter =
  | { readonly kind: 'filters'; readonly filters: readonly DeviceFilter[] }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** One for each of its values: any of them, or with `-` none of them. */
function parseDeviceFilter(
  part: FilterToken,
  isJoined: boolean,
  others: readonly string[],
): ParsedDeviceFilter {
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
  const filters = values.map((value, at): DeviceFilter => {
    const joined = at === 0 ? or === true : !negated;
    return { key, value: value.trim(), negated, ...(joined ? { or: true } : {}) };
  });
  return { kind: 'filters', filters };
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
