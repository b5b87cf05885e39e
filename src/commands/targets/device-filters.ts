/** The filters of `devices`: which there are, and how they are read and written. Pure. */
import { z } from 'zod';
import { DEVICE_FACTS } from '../../inventory/device-counts.ts';
import { hasAddress } from '../../inventory/fields.ts';
import type { IndexedDevice } from '../../inventory/inventory.ts';
import { nearestOrAny } from '../../inventory/nearest.ts';
import { fold } from '../../text.ts';
import type { UsageFault } from '../../views/model.ts';
import { type Filter, valuesOf, valueText } from '../line/grammar.ts';
import { type DeviceSort, readSort } from './device-sort.ts';

/** Whether a device passes. */
export type Matcher = (device: IndexedDevice) => boolean;

/** What `is:` can ask. A fact that the service did not state is neither so nor not so: `-is:` then passes. */
export const CONDITIONS: ReadonlyMap<string, Matcher> = new Map(
  Object.entries(DEVICE_FACTS).filter(([name]) => name !== 'compliant'),
);

/** Of these the time decides, see `device-select.ts`. */
export const STALE = 'stale';

/** What can be asked, for help texts. */
export const CONDITION_NAMES = [...CONDITIONS.keys(), STALE];

/** Of one question. Each device is held against all of them, while everybody else waits. */
export const MOST_VALUES = 50;

const KEYS = ['group', 'os', 'tag', 'ip', 'user', 'serial', 'policy', 'fails', 'version', 'is'] as const;

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

/** What these are about is personal: it is for the one who asks, and for no channel. */
export const PERSONAL_KEYS: ReadonlySet<string> = new Set<DeviceFilter['key']>(['ip', 'user', 'serial']);

export type ReadFilters =
  | { readonly kind: 'filters'; readonly filters: readonly DeviceFilter[]; readonly sort: DeviceSort | null }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** The filters that this command knows, and the order that is wished; or the first word that will not do. */
export function readFilters(typed: readonly Filter[]): ReadFilters {
  const filters: DeviceFilter[] = [];
  let sort: DeviceSort | null = null;
  for (const [at, part] of typed.entries()) {
    const isJoined = part.or === true || typed[at + 1]?.or === true;
    if (part.key === 'sort') {
      if (isJoined || sort !== null) return bad(part.text, 'one sort order, without “or”');
      const read = readSort(part);
      if (read.kind === 'fault') return read;
      sort = read.sort;
      continue;
    }
    const read = readFilter(part, isJoined);
    if (read.kind === 'fault') return read;
    filters.push(...read.filters);
    if (filters.length > MOST_VALUES) return bad(part.text, `at most ${MOST_VALUES} values in all filters`);
  }
  return { kind: 'filters', filters, sort };
}

type ReadFilter =
  | { readonly kind: 'filters'; readonly filters: readonly DeviceFilter[] }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** One for each of its values: any of them, or with `-` none of them. */
function readFilter(part: Filter, isJoined: boolean): ReadFilter {
  const { key: typed, negated, text, or } = part;
  const key = KEYS.find((known) => known === typed);
  if (key === undefined) {
    return unknown(text, nearestOrAny(typed, [...KEYS, 'sort']), (name) => `${name}:`);
  }
  const values = valuesOf(part);
  if (values.some((value) => value.trim() === '')) {
    return bad(
      text,
      values.length > 1 ? 'a value on both sides of a comma' : 'a value right after the colon',
    );
  }
  if (negated && values.length > 1 && isJoined) return bad(text, 'one value when “-” and “or” are combined');
  const slip = values.find((value) => key === 'is' && !CONDITION_NAMES.includes(fold(value)));
  if (slip !== undefined) {
    return unknown(
      values.length > 1 ? `is:${slip}` : text,
      nearestOrAny(slip, CONDITION_NAMES),
      (name) => `is:${name}`,
    );
  }
  if (key === 'ip' && values.some((value) => hasAddress(value) === null)) {
    return bad(text, 'an IP address, the start of one such as 10.1., or a network such as 10.1.0.0/16');
  }
  const filters = values.map((value, at): DeviceFilter => {
    const joined = at === 0 ? or === true : !negated;
    return { key, value: value.trim(), negated, ...(joined ? { or: true } : {}) };
  });
  return { kind: 'filters', filters };
}

function bad(word: string, expected: string) {
  return { kind: 'fault', fault: { kind: 'bad-value', word, expected } } as const;
}

function unknown(word: string, names: readonly string[], offer: (name: string) => string) {
  return { kind: 'fault', fault: { kind: 'unknown-word', word, nearest: names.map(offer) } } as const;
}

/** A filter as it would be typed. */
export function filterText(key: string, value: string, negated = false): string {
  return `${negated ? '-' : ''}${key}:${valueText(value)}`;
}
