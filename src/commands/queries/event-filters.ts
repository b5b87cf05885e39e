/** The filters of `events` without a device: how they are read and written. Pure. */

import { z } from 'zod';
import { parseEventKind } from '../../fleet/model/event-kinds.ts';
import { LOG_EVENT_NAMES } from '../../fleet/model/event-names.ts';
import { fold } from '../../lib/text.ts';
import type { TypedInput } from '../core/define-command.ts';
import { filterFault } from '../parser/filter-keys.ts';
import type { FilterToken } from '../parser/tokenizer.ts';
import { usageFault } from '../parser/usage-errors.ts';
import { filterText } from '../targets/device-filters.ts';
import { nameOrId } from '../targets/name-lookup.ts';

/** Maximum number of days: all events of them are read to find the newest. */
export const MAX_EVENT_DAYS = 30;
/** Default number of days. */
export const EVENT_DAYS_RANGE = 7;

export const eventFilters = z.object({
  policy: nameOrId.nullable(),
  user: z.int().positive().nullable(),
  name: z.string().min(1).nullable(),
  days: z.int().min(1).max(MAX_EVENT_DAYS),
});
export type EventFilters = z.infer<typeof eventFilters>;

const KEYS = ['policy', 'user', 'name', 'days'] as const;

/** Parses the typed filters, each at most once. Defaults to a week. */
export function readEventFilters(filters: readonly FilterToken[]): TypedInput<EventFilters> {
  const wrong = filterFault(filters, { once: KEYS, empty: KEYS });
  if (wrong !== null) return usageFault(wrong);
  let read: EventFilters = { policy: null, user: null, name: null, days: EVENT_DAYS_RANGE };
  for (const { key, value, text } of filters) {
    if (value === '')
      return usageFault({
        kind: 'missing',
        what: `Add a value right after “${key}:”.`,
        prefill: { filters: read },
      });
    const checked = eventFilters.safeParse({ ...read, [key]: parseEventFilter(key, value) });
    if (!checked.success) {
      const expected = key === 'days' ? `1 to ${MAX_EVENT_DAYS} days` : 'a user number';
      return usageFault({ kind: 'bad-value', word: text, expected });
    }
    read = checked.data;
  }
  return { kind: 'input', input: read };
}

function parseEventFilter(key: string, value: string): string | number {
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

/** The standard name of an event, whatever synonym was typed. An unknown log name is kept. */
export function eventName(typed: string): string {
  return parseEventKind(typed) ?? LOG_EVENT_NAMES.find((known) => known === fold(typed)) ?? typed;
}

/** As it would be typed. */
export function eventQueryText({ policy, user, name, days }: EventFilters): string {
  const parts = [
    policy === null ? null : filterText('policy', typeof policy === 'number' ? `#${policy}` : policy),
    user === null ? null : filterText('user', `#${user}`),
    name === null ? null : filterText('name', name),
    filterText('days', String(days)),
  ];
  return parts.filter((part) => part !== null).join(' ');
}
