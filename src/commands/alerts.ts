/** `alerts`: what was posted in channels, or what a silence held. */
import { z } from 'zod';
import { DAY, instant, later } from '../clock.ts';
import { alertId, channelId } from '../ids.ts';
import { nearestOrAny } from '../inventory/nearest.ts';
import type { AlertQuery } from '../store/alert-records.ts';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import { extraWord, unknownWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { lineOf } from './lists/paging.ts';
import { filterText } from './targets/device-filters.ts';
import { numberOf } from './targets/named.ts';

const MOST_DAYS = 90;
const DAYS = 7;
const PAGE_SIZE = 15;

/** Of the buttons: alerts of later are not in the list. Their rows stay as they are, so this is all that must be kept. */
const asOf = z.int().nonnegative().transform(instant).optional();
const input = z.discriminatedUnion('of', [
  z.object({ of: z.literal('all'), days: z.int().min(1).max(MOST_DAYS), asOf }),
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

export const alerts = defineSetting<Input>({
  name: 'alerts',
  usage: 'alerts [silence:N] [days:N]',
  summary: 'List alerts from the last 7 days and who acknowledged them, or alerts that a silence held.',
  examples: ['alerts', 'alerts days:2', 'alerts silence:3'],
  input,
  need: 'read',
  parse,
  run: list,
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [free] = words.free;
  if (free !== undefined) return { kind: 'fault', fault: unknownWord(free, []) };
  const [filter, second] = words.filters;
  if (second !== undefined) return { kind: 'fault', fault: unknownWord(second.text, []) };
  if (filter === undefined) return { kind: 'input', input: { of: 'all', days: DAYS } };
  const number = filter.negated ? null : numberOf(filter.value);
  const bad = (expected: string): Typed<Input> => ({
    kind: 'fault',
    fault: { kind: 'bad-value', word: filter.text, expected },
  });
  switch (filter.key) {
    case 'silence':
      if (number === null) return bad('the number of a silence');
      return { kind: 'input', input: { of: 'silence', silence: number, channel: null } };
    case 'days':
      if (number === null || number > MOST_DAYS) return bad(`1 to ${MOST_DAYS} days`);
      return { kind: 'input', input: { of: 'all', days: number } };
    default: {
      const nearest = nearestOrAny(filter.key, ['silence', 'days']).map((known) => `${known}:`);
      return { kind: 'fault', fault: { kind: 'unknown-word', word: filter.text, nearest } };
    }
  }
}

async function list(
  asked: Input,
  page: number,
  { settings, clock, pageSize = PAGE_SIZE }: SettingPorts,
): Promise<View> {
  const until = asked.asOf ?? clock.now();
  const query: AlertQuery =
    asked.of === 'all' ? { of: 'all', since: later(until, -asked.days * DAY), until } : { ...asked, until };
  const read = (at: number) => settings.alerts.list(query, { limit: pageSize, skip: at * pageSize });
  const first = await read(page);
  const pages = Math.max(Math.ceil(first.total / pageSize), 1);
  // The list may have become shorter since the button was made.
  const at = Math.min(page, pages - 1);
  const { rows, total } = at === page ? first : await read(at);
  return {
    kind: 'alerts',
    of: asked.of === 'all' ? { kind: 'all', days: asked.days } : { kind: asked.of },
    rows,
    paging: {
      command: 'alerts',
      input: { ...asked, asOf: until },
      ...lineOf('alerts', question(asked)),
      page: at,
      pages,
      total,
      asOf: until,
    },
  };
}

/** As it would be typed; the alerts of a card have a button alone. */
function question(asked: Input): string {
  switch (asked.of) {
    case 'all':
      return asked.days === DAYS ? '' : filterText('days', String(asked.days));
    case 'silence':
      return filterText('silence', String(asked.silence));
    case 'card':
      return '';
  }
}
