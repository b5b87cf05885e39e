/** What a list of devices was asked for, as it would be typed: whole, and as a channel may see it. */
import { z } from 'zod';
import { isInName } from '../../inventory/fields.ts';
import type { IndexedDevice, Snapshot } from '../../inventory/inventory.ts';
import { wordText } from '../line/grammar.ts';
import { type DeviceFilter, deviceFilter, filterText, PERSONAL_KEYS } from './device-filters.ts';
import { alternatives } from './device-select.ts';
import { deviceSort, sortText } from './device-sort.ts';
import { numberOf } from './named.ts';
import { onlyName } from './policy-name.ts';

export const devicesQuestion = z.object({
  words: z.array(z.string()),
  filters: z.array(deviceFilter),
  sort: deviceSort.optional(),
});
export type DevicesQuestion = z.infer<typeof devicesQuestion>;

/** What was understood, as it would be typed. */
export function question({ words, filters, sort }: DevicesQuestion): string {
  const parts = filters.map(({ key, value, negated, or }) => {
    const text = filterText(key, value, negated);
    return or === true ? `or ${text}` : text;
  });
  return [...words.map(wordText), ...parts, ...(sort === undefined ? [] : [sortText(sort)])].join(' ');
}

const HIDDEN = '…';

/**
 * The same for a channel, where it differs: a list of the devices of one person, or of one address, says as much as the
 * name would. Words that are not in the names of all of them were found in something personal.
 */
export function publicTitle({ words, filters, sort }: DevicesQuestion, devices: readonly IndexedDevice[]) {
  const isPublic = (word: string, device: IndexedDevice) => /^#\d+$/.test(word) || isInName(device, word);
  const hidden = (alternatives(words) ?? words.map((word) => [word])).filter(
    (clause) => !devices.every((device) => clause.some((word) => isPublic(word, device))),
  );
  const open: DevicesQuestion = {
    words: words.map((word) => (hidden.some((clause) => clause.includes(word)) ? HIDDEN : word)),
    filters: filters.map((filter) => (PERSONAL_KEYS.has(filter.key) ? { ...filter, value: HIDDEN } : filter)),
    sort,
  };
  const title = question(open);
  return title === question({ words, filters, sort }) ? {} : { publicTitle: title };
}

/** The same with the names of policies, where only one has each: nobody knows a number by heart. */
export function withPolicyNames(
  asked: DevicesQuestion,
  { policies }: Pick<Snapshot, 'policies'>,
): DevicesQuestion {
  const byName = (filter: DeviceFilter): DeviceFilter => {
    const { key, value } = filter;
    const id = key === 'policy' || key === 'fails' ? numberOf(value) : null;
    // A name that looks like a number is a name.
    const name = id === null || policies.some((one) => one.name === value) ? null : onlyName(id, policies);
    return name === null ? filter : { ...filter, value: name };
  };
  return { ...asked, filters: asked.filters.map(byName) };
}
