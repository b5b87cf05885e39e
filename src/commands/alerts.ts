/** `alerts`: lists alerts, the devices of one of them, or what a silence held. */
import { z } from 'zod';
import { DAY, instant, later } from '../lib/clock.ts';
import { channelId, eventId } from '../lib/ids.ts';
import type { AlertPage, MemberQuery } from '../store/port/alert-records.ts';
import type { View } from '../views/views.ts';
import { argumentsOf, number } from './core/arguments.ts';
import type { SettingPorts, TypedInput } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { repeatLine } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unknownWordFault, usageFault } from './parser/usage-errors.ts';
import { filterText } from './targets/device-query.ts';
import { numberOf } from './targets/name-lookup.ts';

const MAX_DAYS = 90;
const DAYS = 7;
const PAGE_SIZE = 15;

const args = argumentsOf({
  silence: number('silence', 'N', 'the number of a silence'),
  days: number('days', 'N', `1 to ${MAX_DAYS} days`, MAX_DAYS),
});

const STATES = ['open', 'fixed', 'closed'] as const;
const state = z.enum(STATES).nullable().default(null);
const channel = z.string().transform(channelId).nullable().default(null);
/** Of the buttons of pages: alerts of later are not in the list, though the state of each is that of now. */
const asOf = z.int().nonnegative().transform(instant).optional();
const input = z.discriminatedUnion('of', [
  z.object({ of: z.literal('all'), days: z.int().min(1).max(MAX_DAYS), state, asOf }),
  z.object({ of: z.literal('silence'), silence: z.int().positive(), channel }),
  z.object({ of: z.literal('alert'), number: z.int().positive(), channel }),
]);
type Input = z.infer<typeof input>;

export const alertsCommand = defineSettingCommand<Input>({
  name: 'alerts',
  usage: `alerts [open|fixed|closed] [ALERT] ${args.usage}`,
  summary:
    'List alerts from the last 7 days with their state, the devices of one alert, or what a silence held.',
  examples: ['alerts', 'alerts open', 'alerts 70001', 'alerts days:2', 'alerts silence:3'],
  input,
  permission: 'read',
  byOnePress: () => true,
  parse,
  run: (filters, page, ports) =>
    filters.of === 'all' ? listAlerts(filters, page, ports) : listMembers(filters, page, ports),
});

function parse(words: LineWords): TypedInput<Input> {
  const [word, ...others] = words.free.filter((free) => free.toLowerCase() !== 'alert');
  const read = args.parse({ ...words, free: others });
  if (read.kind === 'fault') return read;
  const { silence, days } = read.input;
  const named = STATES.find((known) => known === word?.toLowerCase()) ?? null;
  const alert = word === undefined || named !== null ? null : numberOf(word);
  if (word !== undefined && named === null && alert === null)
    return usageFault(unknownWordFault(word, STATES));
  const only = silence !== undefined || alert !== null;
  if (only && days !== undefined) return usageFault(unknownWordFault(filterText('days', String(days)), []));
  if (silence !== undefined && word !== undefined) return usageFault(unknownWordFault(word, []));
  if (silence !== undefined) return { kind: 'input', input: { of: 'silence', silence, channel: null } };
  if (alert !== null) return { kind: 'input', input: { of: 'alert', number: alert, channel: null } };
  return { kind: 'input', input: { of: 'all', days: days ?? DAYS, state: named } };
}

async function listAlerts(
  { days, state, ...filters }: Extract<Input, { readonly of: 'all' }>,
  page: number,
  ports: SettingPorts,
): Promise<View> {
  const asOf = filters.asOf ?? ports.clock.now();
  const query = { since: later(asOf, -days * DAY), until: asOf, ...(state === null ? {} : { state }) };
  const { settings, health } = ports;
  const { rows, ...paging } = await readPage(page, ports, (place) => settings.alerts.list(query, place));
  const { events, silences } = await health();
  const typed = [
    ...(state === null ? [] : [state]),
    ...(days === DAYS ? [] : [filterText('days', String(days))]),
  ];
  return {
    kind: 'alerts',
    ...{ days, state, rows, silences },
    readAt: events.lastSuccess,
    paging: {
      command: 'alerts',
      input: { ...filters, days, state, asOf },
      ...repeatLine('alerts', typed.join(' ')),
      ...paging,
      asOf,
    },
  };
}

async function listMembers(
  filters: Exclude<Input, { readonly of: 'all' }>,
  page: number,
  ports: SettingPorts,
): Promise<View> {
  const { channel } = filters;
  if (filters.of === 'silence') {
    const query = { of: 'silence', silence: filters.silence, channel } as const;
    const typed = filterText('silence', String(filters.silence));
    return {
      kind: 'alert-members',
      of: 'silence',
      ...(await memberPage(query, { filters, typed, page }, ports)),
    };
  }
  const { alerts } = ports.settings;
  const { number } = filters;
  const found = await alerts.ofEvent(eventId(number));
  const alert = found && (await alerts.shown(found.id));
  if (alert === null) return problemView({ kind: 'no-such-number', what: 'alert', number });
  const query = { of: 'alert', alert: alert.id, channel } as const;
  const members = await memberPage(query, { filters, typed: String(number), page }, ports);
  return { kind: 'alert-members', of: alert, ...members };
}

type Asked = { readonly filters: Input; readonly typed: string; readonly page: number };

async function memberPage(query: MemberQuery, { filters, typed, page }: Asked, ports: SettingPorts) {
  const { settings, clock } = ports;
  const { rows, ...paging } = await readPage(page, ports, (at) => settings.alerts.members(query, at));
  const list = { command: 'alerts', input: filters, ...repeatLine('alerts', typed) };
  return { rows, paging: { ...list, ...paging, asOf: clock.now() } };
}

/** The page, or the last one where the list has become shorter since the button was made. */
async function readPage<T>(
  page: number,
  { pageSize }: SettingPorts,
  read: (page: AlertPage) => Promise<{ readonly total: number; readonly rows: readonly T[] }>,
) {
  const limit = pageSize ?? PAGE_SIZE;
  const first = await read({ limit, skip: page * limit });
  const pages = Math.max(Math.ceil(first.total / limit), 1);
  const at = Math.min(page, pages - 1);
  const { rows, total } = at === page ? first : await read({ limit, skip: at * limit });
  return { rows, page: at, pages, total };
}
