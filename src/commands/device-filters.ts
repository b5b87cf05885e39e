/** The filters of `devices`: which there are, and how they are read and written. Pure. */
import { z } from 'zod';
import type { IndexedDevice } from '../inventory/inventory.ts';
import { nearestOrAny } from '../inventory/nearest.ts';
import { fold } from '../text.ts';
import type { UsageFault } from '../views/model.ts';
import type { Filter } from './grammar.ts';

/** Whether a device passes. */
export type Matcher = (device: IndexedDevice) => boolean;

/** What `is:` can ask. A fact that the service did not state is neither so nor not so: `-is:` then passes. */
export const CONDITIONS: ReadonlyMap<string, Matcher> = new Map([
  ['needs-reboot', (device: IndexedDevice) => device.needsReboot === true],
  ['online', (device: IndexedDevice) => device.connected === true],
  ['offline', (device: IndexedDevice) => device.connected === false],
  ['pending', (device: IndexedDevice) => device.pending === true || (device.pendingPatches ?? 0) > 0],
  ['noncompliant', (device: IndexedDevice) => device.compliant === false],
  ['exception', (device: IndexedDevice) => device.exception === true],
  ['attention', (device: IndexedDevice) => device.needsAttention === true],
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
    const offered = nearestOrAny(typed, KEYS).map((known) => `${known}:`);
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
    return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest: nearestOrAny(text, known) } };
  }
  return { kind: 'filter', filter: { key, value, negated } };
}

/** A filter as it would be typed. */
export function filterText(key: string, value: string, negated = false): string {
  const quoted = /[\s'"]/.test(value) ? `"${value}"` : value;
  return `${negated ? '-' : ''}${key}:${quoted}`;
}
