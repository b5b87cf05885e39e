/** The filters of `events` without a device: how they are read and written. Pure. */

import { z } from 'zod';
import { EVENT_NAMES } from '../fleet/event-names.ts';
import { happeningTyped } from '../fleet/happenings.ts';
import { fold } from '../text.ts';
import type { Typed } from './define.ts';
import { fault } from './line/faults.ts';
import { misfit } from './line/filters-once.ts';
import type { Filter } from './line/grammar.ts';
import { filterText } from './targets/device-filters.ts';
import { ref } from './targets/named.ts';

/** So far back at the most: all of the time is read to know the newest. */
export const MOST_DAYS = 30;
/** Where none were named. */
export const DAYS = 7;

export const eventFilters = z.object({
  policy: ref.nullable(),
  user: z.int().positive().nullable(),
  name: z.string().min(1).nullable(),
  days: z.int().min(1).max(MOST_DAYS),
});
export type EventFilters = z.infer<typeof eventFilters>;

const KEYS = ['policy', 'user', 'name', 'days'] as const;

/** What was typed, each filter at most once; a week where no days were named. */
export function readEventFilters(filters: readonly Filter[]): Typed<EventFilters> {
  const wrong = misfit(filters, { once: KEYS, empty: KEYS });
  if (wrong !== null) return fault(wrong);
  let read: EventFilters = { policy: null, user: null, name: null, days: DAYS };
  for (const { key, value, text } of filters) {
    if (value === '')
      return fault({ kind: 'missing', what: `Add a value right after “${key}:”.`, given: { filters: read } });
    const checked = eventFilters.safeParse({ ...read, [key]: parsed(key, value) });
    if (!checked.success) {
      const expected = key === 'days' ? `1 to ${MOST_DAYS} days` : 'a user number';
      return fault({ kind: 'bad-value', word: text, expected });
    }
    read = checked.data;
  }
  return { kind: 'input', input: read };
}

function parsed(key: string, value: string): string | number {
  switch (key) {
    case 'name':
      return eventName(value);
    case 'user':
    case 'days':
      return /^#?\d{1,15}$/.test(value) ? Number(value.replace('#', '')) : Number.NaN;
    default:
      return value;
  }
}

/** An event by its one name, whatever was typed for it; a name of the log that is newer stays as it is. */
export function eventName(typed: string): string {
  return happeningTyped(typed) ?? EVENT_NAMES.find((known) => known === fold(typed)) ?? typed;
}

/** As it would be typed. */
export function eventQuestion({ policy, user, name, days }: EventFilters): string {
  const parts = [
    policy === null ? null : filterText('policy', typeof policy === 'number' ? `#${policy}` : policy),
    user === null ? null : filterText('user', `#${user}`),
    name === null ? null : filterText('name', name),
    filterText('days', String(days)),
  ];
  return parts.filter((part) => part !== null).join(' ');
}
