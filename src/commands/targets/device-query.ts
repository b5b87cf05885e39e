/** What a list of devices was asked for, as it would be typed: whole, and as a channel may see it. */
import { z } from 'zod';
import type { IndexedDevice, Snapshot } from '../../inventory/inventory.ts';
import { nameContains } from '../../inventory/search/search-text.ts';
import { quoteWord } from '../parser/tokenizer.ts';
import { type DeviceFilter, deviceFilter, filterText, PERSONAL_KEYS } from './device-filters.ts';
import { deviceSort, sortText } from './device-sort.ts';
import { numberOf } from './name-lookup.ts';
import { uniquePolicyName } from './resolve-policy.ts';
import { alternatives } from './select-devices.ts';

export const deviceListQuerySchema = z.object({
  words: z.array(z.string()),
  filters: z.array(deviceFilter),
  sort: deviceSort.optional(),
});
export type DeviceListQuery = z.infer<typeof deviceListQuerySchema>;

/** What was understood, as it would be typed. */
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
