/** `alerts`: lists alerts that were posted, or that a silence held. */
import { z } from 'zod';
import { DAY, instant, later } from '../lib/clock.ts';
import { alertId, channelId } from '../lib/ids.ts';
import type { View } from '../views/views.ts';
import { argumentsOf, number } from './core/arguments.ts';
import type { SettingPorts, TypedInput } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { repeatLine } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unknownWordFault, usageFault } from './parser/usage-errors.ts';
import { filterText } from './targets/device-query.ts';

const MAX_DAYS = 90;
const DAYS = 7;
const PAGE_SIZE = 15;

const args = argumentsOf({
  silence: number('silence', 'N', 'the number of a silence'),
  days: number('days', 'N', `1 to ${MAX_DAYS} days`, MAX_DAYS),
});

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
  usage: `alerts ${args.usage}`,
  summary: 'List alerts from the last 7 days and who acknowledged them, or alerts that a silence held.',
  examples: ['alerts', 'alerts days:2', 'alerts silence:3'],
  input,
  permission: 'read',
  byOnePress: () => true,
  parse,
  run: listAlerts,
});

function parse(words: LineWords): TypedInput<Input> {
  const read = args.parse(words);
  if (read.kind === 'fault') return read;
  const { silence, days } = read.input;
  if (silence === undefined) return { kind: 'input', input: { of: 'all', days: days ?? DAYS } };
  if (days !== undefined) return usageFault(unknownWordFault(filterText('days', String(days)), []));
  return { kind: 'input', input: { of: 'silence', silence, channel: null } };
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
