/** The filters of `events`: how they are read and written. Pure. */
import { z } from 'zod';
import { LOG_EVENT_NAMES, parseEventKind } from '../../fleet/model/event-kinds.ts';
import { DAY, type Instant, instant } from '../../lib/clock.ts';
import { fold } from '../../lib/text.ts';
import type { TypedInput } from '../core/define-command.ts';
import { filterFault } from '../parser/filter-keys.ts';
import type { FilterToken } from '../parser/tokenizer.ts';
import { usageFault } from '../parser/usage-errors.ts';
import { filterText } from '../targets/device-filters.ts';
import { nameOrId } from '../targets/name-lookup.ts';

/** Maximum number of days: all events of them are read to find the newest. */
export const MAX_EVENT_DAYS = 30;
/** Default number of days for all devices. */
export const EVENT_DAYS_RANGE = 7;

export const eventFilters = z.object({
  policy: nameOrId.nullable(),
  user: z.int().positive().nullable(),
  name: z.string().min(1).nullable(),
  days: z.int().min(1).max(MAX_EVENT_DAYS),
  /** The last day (UTC), as the service takes days; null: today. */
  until: z.iso.date().nullable().default(null),
});
export type EventFilters = z.infer<typeof eventFilters>;

/** All events of so many days. */
export function defaultEventFilters(days: number): EventFilters {
  return { policy: null, user: null, name: null, days, until: null };
}

/** Midnight after the day. */
export function endOfDay(day: string): Instant {
  return instant(Date.parse(day) + DAY);
}

const KEYS = ['policy', 'user', 'name', 'days', 'until'] as const;

/** Parses the typed filters, each at most once. `days`: the default. */
export function readEventFilters(filters: readonly FilterToken[], days: number): TypedInput<EventFilters> {
  const wrong = filterFault(filters, { once: KEYS, empty: KEYS });
  if (wrong !== null) return usageFault(wrong);
  let read = defaultEventFilters(days);
  for (const { key, value, text } of filters) {
    if (value === '')
      return usageFault({
        kind: 'missing',
        what: `Add a value right after “${key}:”.`,
        prefill: { filters: read },
      });
    const checked = eventFilters.safeParse({ ...read, [key]: parseEventFilter(key, value) });
    if (!checked.success) {
      return usageFault({ kind: 'bad-value', word: text, expected: EXPECTED[key] ?? 'another value' });
    }
    read = checked.data;
  }
  return { kind: 'input', input: read };
}

const EXPECTED: Readonly<Record<string, string>> = {
  days: `1 to ${MAX_EVENT_DAYS} days`,
  user: 'a user number',
  until: 'a date such as 2026-11-20',
};

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
export function eventQueryText({ policy, user, name, days, until }: EventFilters): string {
  const parts = [
    policy === null ? null : filterText('policy', typeof policy === 'number' ? `#${policy}` : policy),
    user === null ? null : filterText('user', `#${user}`),
    name === null ? null : filterText('name', name),
    filterText('days', String(days)),
    until === null ? null : filterText('until', until),
  ];
  return parts.filter((part) => part !== null).join(' ');
}
