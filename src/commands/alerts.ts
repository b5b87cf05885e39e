/** `alerts`: lists alerts that were posted, or that a silence held. */
import { z } from 'zod';
import { nearestNamesOrAll } from '../inventory/nearest-names.ts';
import { DAY, instant, later } from '../lib/clock.ts';
import { alertId, channelId } from '../lib/ids.ts';
import type { View } from '../views/types.ts';
import type { SettingPorts, TypedInput } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { repeatLine } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';
import { filterText } from './targets/device-query.ts';
import { numberOf } from './targets/name-lookup.ts';

const MAX_DAYS = 90;
const DAYS = 7;
const PAGE_SIZE = 15;

/** Of the buttons: alerts of later are not in the list. Their rows stay as they are, so this is all that must be kept. */
const asOf = z.int().nonnegative().transform(instant).optional();
const input = z.discriminatedUnion('of', [
  z.object({ of: z.literal('all'), days: z.int().min(1).max(MAX_DAYS), asOf }),
  z.object({
    of: z.literal('silence'),
    asOf,
    silence: z.int().positive(),
    channel: z.string().transform(channelId).nullable(),
  }),
  z.object({
    of: z.literal('card'),
    asOf,
    card: z.string().transform(alertId),
    channel: z.string().transform(channelId),
  }),
]);
type Input = z.infer<typeof input>;

export const alertsCommand = defineSettingCommand<Input>({
  name: 'alerts',
  usage: 'alerts [silence:N] [days:N]',
  summary: 'List alerts from the last 7 days and who acknowledged them, or alerts that a silence held.',
  examples: ['alerts', 'alerts days:2', 'alerts silence:3'],
  input,
  permission: 'read',
  byOnePress: () => true,
  parse,
  run: listAlerts,
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [filter, second] = words.filters;
  const odd = words.free[0] ?? second?.text;
  if (odd !== undefined) return { kind: 'fault', fault: unknownWordFault(odd, []) };
  if (filter === undefined) return { kind: 'input', input: { of: 'all', days: DAYS } };
  const number = filter.negated ? null : numberOf(filter.value);
  const bad = (expected: string): TypedInput<Input> => ({
    kind: 'fault',
    fault: { kind: 'bad-value', word: filter.text, expected },
  });
  switch (filter.key) {
    case 'silence':
      if (number === null) return bad('the number of a silence');
      return { kind: 'input', input: { of: 'silence', silence: number, channel: null } };
    case 'days':
      if (number === null || number > MAX_DAYS) return bad(`1 to ${MAX_DAYS} days`);
      return { kind: 'input', input: { of: 'all', days: number } };
    default: {
      const nearest = nearestNamesOrAll(filter.key, ['silence', 'days']).map((known) => `${known}:`);
      return { kind: 'fault', fault: { kind: 'unknown-word', word: filter.text, nearest } };
    }
  }
}

async function listAlerts(
  filters: Input,
  page: number,
  { settings, clock, pageSize, health }: SettingPorts,
): Promise<View> {
  const until = filters.asOf ?? clock.now();
  const limit = pageSize ?? PAGE_SIZE;
  const read = (at: number) => {
    const place = { limit, skip: at * limit };
    if (filters.of !== 'all') return settings.alerts.list({ ...filters, until }, place);
    const query = { of: 'all', since: later(until, -filters.days * DAY), until } as const;
    // The message has one row for each card, as channels do; the file has all alerts.
    return pageSize === undefined ? settings.alerts.shown(query, place) : settings.alerts.list(query, place);
  };
  const first = await read(page);
  const pages = Math.max(Math.ceil(first.total / limit), 1);
  // The list may have become shorter since the button was made.
  const at = Math.min(page, pages - 1);
  const { rows, total } = at === page ? first : await read(at);
  const { events, silences } = await health();
  return {
    kind: 'alerts',
    of:
      filters.of === 'all'
        ? { kind: 'all', days: filters.days, readAt: events.lastSuccess, silences }
        : { kind: filters.of },
    rows,
    paging: {
      command: 'alerts',
      input: { ...filters, asOf: until },
      ...repeatLine('alerts', queryText(filters)),
      page: at,
      pages,
      total,
      asOf: until,
    },
  };
}

/** The arguments as they would be typed. The alerts of a card are listed by a button only. */
function queryText(filters: Input): string {
  if (filters.of === 'silence') return filterText('silence', String(filters.silence));
  return filters.of === 'card' || filters.days === DAYS ? '' : filterText('days', String(filters.days));
}
