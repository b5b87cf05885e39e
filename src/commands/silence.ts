/** `silence`: holds alerts for a while instead of posting them, in every channel. */
import { Cron } from 'croner';
import { z } from 'zod';
import { eventKindTitles, isEventKind } from '../fleet/model/event-kinds.ts';
import { nearestNames } from '../inventory/nearest-names.ts';
import { DAY, HOUR, type Instant, instant, MINUTE, SECOND } from '../lib/clock.ts';
import { quoteStructure } from '../lib/text.ts';
import type { SilenceRecord } from '../store/port/alert-records.ts';
import type { FieldValues, FormField, FormOption } from '../views/models/form-model.ts';
import type { UsageFault, View } from '../views/views.ts';
import {
  EVENT_NAME_WORDS,
  EVENT_OPTIONS,
  kindsSchema,
  otherEventsField,
  parseEventNames,
  readOtherEvents,
  unknownEventsAmong,
} from './alerting/event-names.ts';
import { type Argument, argumentsOf, named, words } from './core/arguments.ts';
import type {
  CommandForm,
  FormPorts,
  FormValues,
  OpenedForm,
  SettingPorts,
  TypedInput,
} from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { fieldError, idValue } from './core/field-values.ts';
import { deviceOption, enteredReason, groupOption, prefillOf, reasonField } from './forms/subject-forms.ts';
import { type LineWords, MAX_LINE_LENGTH, quoteValue } from './parser/tokenizer.ts';
import { problemView, usageFault, usageProblem } from './parser/usage-errors.ts';
import { nameOrId, numberOf } from './targets/name-lookup.ts';
import { deviceRef, reasonSchema } from './targets/resolve-device.ts';
import { deviceForScope, groupForScope } from './targets/resolve-group-or-policy.ts';

/** For so many milliseconds, or until that minute of the day. */
type SilenceDuration = { readonly for: number } | { readonly untilMinute: number };

/** Our own limit: what is silent for longer is not wanted, and has a subscription to end. */
const LONGEST_SILENCE_MS = 30 * DAY;

const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: HOUR, d: DAY };
const LENGTH = /^(\d{1,5}) ?(m|min|mins|minutes?|h|hrs?|hours?|d|days?)$/;
const TIME = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/;

/** `2h`, `90 minutes`; null where it is none, or longer than {@link LONGEST_SILENCE_MS}. */
function readDuration(text: string): SilenceDuration | null {
  const [, count, unit = ''] = LENGTH.exec(text.toLowerCase()) ?? [];
  const ms = Number(count) * (UNITS[unit.slice(0, 1)] ?? Number.NaN);
  return ms > 0 && ms <= LONGEST_SILENCE_MS ? { for: ms } : null;
}

/** `18:00`; null where it is none. */
export function readClockTime(text: string): SilenceDuration | null {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  return hours === undefined ? null : { untilMinute: Number(hours) * 60 + Number(minutes) };
}

type SilenceEnd = {
  readonly until: Instant;
  /** The time of day that was asked for, where clocks skip it on that day: it ends right after the gap. */
  readonly skipped: string | null;
};

/**
 * When it is over. A time of day is the next one in this zone: of a time that comes twice the first that is still to come,
 * of one that is skipped the first moment after it.
 */
export function silenceEnd(duration: SilenceDuration, now: Instant, zone: string): SilenceEnd {
  if ('for' in duration) return { until: instant(now + duration.for), skipped: null };
  const { untilMinute } = duration;
  const time = `${untilMinute % 60} ${Math.floor(untilMinute / 60)} * * *`;
  // Croner moves a single time out of a gap and takes a repeated one once; with a range of seconds it does neither.
  const moved = nextRun(`0 ${time}`, now, zone);
  const shown = nextRun(`0-1 ${time}`, now, zone);
  return moved < shown
    ? { until: moved, skipped: clockTimeText(untilMinute) }
    : { until: shown, skipped: null };
}

/** From the end of this minute on, so that the second of a range is never the next one. */
function nextRun(pattern: string, now: Instant, timezone: string): Instant {
  const lastSecond = Math.floor(now / MINUTE) * MINUTE + MINUTE - SECOND;
  const next = new Cron(pattern, { timezone }).nextRun(new Date(lastSecond));
  if (next === null) throw new Error(`no time for ${pattern} in ${timezone}`);
  return instant(next.getTime());
}

/** As it is typed: `02:30`. */
export function clockTimeText(minuteOfDay: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`;
}

export const durationSchema = z.union([
  z.object({ for: z.int().positive().max(LONGEST_SILENCE_MS) }),
  z.object({ untilMinute: z.int().min(0).max(1_439) }),
]);

export const durationLabel = (duration: SilenceDuration | null): string =>
  labelOf(duration === null ? DEFAULT_LENGTH : durationText(duration));

/** As it would be typed: a duration or a time of day. */
function durationText(duration: SilenceDuration): string {
  if ('for' in duration) {
    const { for: ms } = duration;
    if (ms % DAY === 0) return `${ms / DAY}d`;
    return ms % HOUR === 0 ? `${ms / HOUR}h` : `${Math.ceil(ms / MINUTE)}m`;
  }
  return clockTimeText(duration.untilMinute);
}

const UNIT_NAMES = [
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
] as const;

function labelOf(text: string): string {
  const unit = UNIT_NAMES.find(([letter]) => text.endsWith(letter));
  if (unit === undefined) return `Until ${text}`;
  const count = Number(text.slice(0, -1));
  return `${count} ${unit[1]}${count === 1 ? '' : 's'}`;
}

const DEFAULT_LENGTH = '2h';

const DEFAULT_DURATION = { for: 2 * HOUR } as const;
const LENGTHS = ['30m', '1h', '2h', '4h', '8h', '1d', '3d', '7d', '30d'] as const;

const lasts: Argument<SilenceDuration | null, SilenceDuration | null> = {
  key: 'lasts',
  untyped: true,
  schema: durationSchema.nullable(),
  read: (text) => readDuration(text) ?? readClockTime(text) ?? undefined,
  draw(id, now) {
    const chosen = now === null ? DEFAULT_LENGTH : durationText(now);
    const all = LENGTHS.some((length) => length === chosen) ? LENGTHS : [chosen, ...LENGTHS];
    const options = all.map((value) => ({ value, label: labelOf(value) }));
    const hint = 'To use other times, type “for 90m” or “until 18:00” in the command.';
    return [{ kind: 'choice', id, label: 'Duration', hint, options, initial: chosen }];
  },
};

const only = argumentsOf({
  group: named('group', 'Only this group and its subgroups'),
  device: named('device', 'Only this device'),
  package: words('package', 'Only this package', 300),
  lasts,
});
const ANY = { group: null, device: null, package: null, lasts: null };

const silenceInput = z.union([
  z.object({ off: z.int().positive() }),
  z.object({
    events: kindsSchema,
    ...only.input.required().shape,
    reason: reasonSchema,
  }),
]);

type SilenceInput = z.infer<typeof silenceInput>;

type SilenceRequest = Exclude<SilenceInput, { off: number }>;

export const silenceForm: CommandForm = {
  open: async (typed, ports) => {
    const prefill = prefillSchema.parse(typed);
    return prefill.off === true ? openEndForm(ports) : openStartForm(prefill, ports);
  },
  read: (values, context) => {
    if (!endSchema.safeParse(context).success) return readStartForm(values);
    const off = idValue(values, SILENCE);
    return off === null ? fieldError(SILENCE, 'Choose a silence.') : { kind: 'input', input: { off } };
  },
};

export const silenceCommand = defineSettingCommand<SilenceInput>({
  name: 'silence',
  usage: 'silence EVENTS|group:NAME|device:NAME [for 2h|until 18:00] [because REASON] | off N',
  summary: 'Hold alerts for a while instead of posting them. Each channel gets a count at the end.',
  examples: [
    'silence patch-failed group:"Linux servers" for 2h because maintenance',
    'silence device:web-01 until 18:00',
    'silence off 3',
  ],
  input: silenceInput,
  form: silenceForm,
  permission: 'propose',
  parse: parseSilence,
  run: (input, _page, ports) => ('off' in input ? endSilence(input.off, ports) : beginSilence(input, ports)),
});

async function beginSilence(input: SilenceRequest, ports: SettingPorts): Promise<View> {
  const { settings, clock, asker } = ports;
  const again = (key: 'group' | 'device' | 'events') => (value: unknown) => ({
    command: 'silence',
    input: { ...input, [key]: value },
  });
  const group = await groupForScope(input.group, again('group'), ports);
  if (group.kind === 'view') return group.view;
  const device = await deviceForScope(input.device, again('device'), ports);
  if (device.kind === 'view') return device.view;
  const zone = await settings.people.timezone(asker);
  const lasts = input.lasts ?? DEFAULT_DURATION;
  const { until, skipped } = silenceEnd(lasts, clock.now(), zone);
  const result = await settings.alerts.silence({
    scope: { kinds: input.events, group: group.value, device: device.value, patch: input.package },
    reason: input.reason,
    createdBy: asker,
    until,
  });
  if (result.kind === 'full') {
    const { limit, own } = result;
    return problemView({ kind: 'too-many-silences', most: limit, own });
  }
  const { silence } = result;
  // A hostname such as mac12.local reads as an event's name.
  const unknown = unknownEventsAmong(silence.scope.kinds, again('events')).map(({ name, meant }) => {
    const word = `device:${name}`;
    const events = input.events.filter((event) => event !== name);
    const choice = { command: 'silence', input: { ...input, events, device: name } };
    return { name, meant: meant ?? (input.device === null ? { word, choice } : null) };
  });
  return { kind: 'silenced', silence, zone: 'for' in lasts ? null : zone, skipped, unknown };
}

async function endSilence(number: number, { settings, asker }: SettingPorts): Promise<View> {
  const ended = await settings.alerts.unsilence(number, asker);
  return ended === null
    ? problemView({ kind: 'no-such-number', what: 'silence', number })
    : { kind: 'silence-ended', silence: ended };
}

const EVENTS = 'events';
const SILENCE = 'silence';
const HEAD = { name: 'silence', usage: 'silence off N' };

/** Stands for every kind of event; no kind has this name. */
const ALL = '*';

const prefillSchema = prefillOf({
  off: z.literal(true).optional().catch(undefined),
  group: nameOrId.nullable().catch(null).default(null),
  device: deviceRef.nullable().catch(null).default(null),
  package: z.string().max(MAX_LINE_LENGTH).nullable().catch(null).default(null),
  events: z.array(z.string()).optional().catch(undefined),
  lasts: durationSchema.nullable().catch(null).default(null),
  reason: reasonSchema.catch(null).default(null),
});

const endSchema = z.object({ off: z.literal(true) });

type Prefill = z.infer<typeof prefillSchema>;

async function openStartForm(prefill: Prefill, ports: FormPorts): Promise<OpenedForm> {
  const group = await groupOption(prefill.group ?? undefined, ports);
  const device = await deviceOption(prefill.device ?? undefined, ports);
  const fields: readonly FormField[] = [
    {
      kind: 'choices',
      id: EVENTS,
      label: 'Events',
      hint: 'Leave empty to silence all events of a group or device.',
      options: [{ value: ALL, label: 'Everything' }, ...EVENT_OPTIONS],
      initial: chosenEvents(prefill),
      optional: true,
    },
    otherEventsField(prefill.events ?? []),
    ...only.draw({ group, device, package: prefill.package, lasts: prefill.lasts }, ports.dialect),
    reasonField(prefill.reason, 'Shown in the list of silences.'),
  ];
  const form = { command: 'silence', title: 'Silence alerts', submit: 'Silence', fields, context: null };
  return { kind: 'form', form };
}

/** Somebody who named no event and nothing else, but said what for, meant everything. */
function chosenEvents({ events, group, device, package: named }: Prefill): readonly string[] {
  if (events === undefined || events.length > 0) return (events ?? []).filter(isEventKind);
  return group === null && device === null && named === null ? [ALL] : [];
}

function readStartForm(values: FieldValues): FormValues {
  const others = readOtherEvents(values);
  if (others.kind !== 'events') return others;
  const events = [...new Set([...(values.get(EVENTS) ?? []), ...others.kinds])];
  const entered = only.enter(values);
  if (entered.kind === 'errors') return entered;
  const { lasts = DEFAULT_DURATION, ...of } = entered.input;
  if (events.length === 0 && Object.keys(of).length === 0)
    return fieldError(EVENTS, 'Choose events or everything, or a group, device or package below.');
  if (events.includes(ALL) && events.length > 1)
    return fieldError(EVENTS, 'Choose either everything or some events, not both.');
  const kinds = events.filter((kind) => kind !== ALL);
  return { kind: 'input', input: { events: kinds, ...ANY, ...of, lasts, reason: enteredReason(values) } };
}

async function openEndForm({ settings, clock }: FormPorts): Promise<OpenedForm> {
  const now = clock.now();
  const going = (await settings.alerts.silences()).filter(({ until }) => until > now);
  if (going.length === 0) {
    const fault = { kind: 'missing', what: 'There are no active silences.' } as const;
    return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  }
  const options = going.map(silenceOption);
  const field = { kind: 'choice', id: SILENCE, label: 'Silence', options, initial: null } as const;
  const form = { command: 'silence', title: 'End a silence', submit: 'End silence', context: { off: true } };
  return { kind: 'form', form: { ...form, fields: [field] } };
}

function silenceOption({ number, scope, reason }: SilenceRecord): FormOption {
  const kinds = scope.kinds.length === 0 ? 'all alerts' : eventKindTitles(scope.kinds);
  const of = [scope.device?.name, scope.group?.name, scope.patch].filter((name) => typeof name === 'string');
  const what = of.length === 0 ? kinds : `${kinds} (${of.map(quoteStructure).join(', ')})`;
  const label = `${number}: ${what}`;
  return { value: String(number), label, ...(reason === null ? {} : { detail: reason }) };
}

function parseSilence(line: LineWords): TypedInput<SilenceInput> {
  const of = only.parse(line, { free: true, reason: true });
  if (of.kind === 'fault') return of;
  const [first, second, ...more] = line.free;
  if (first?.toLowerCase() === 'off') return parseOff(second, more);
  const parted = splitDuration(line.free);
  if (parted.kind === 'fault') return parted;
  const { events, lasts } = parted.input;
  const { reason } = line;
  const all = events.length === 1 && /^(all|everything)$/i.test(events[0] ?? '');
  const read = all ? ({ kind: 'events', kinds: [] } as const) : parseEventNames(events);
  if (read.kind === 'fault') return usageFault(elseDevice(read.fault));
  if (read.kinds.length === 0 && line.filters.length === 0 && !all)
    return usageFault({ kind: 'missing', what: 'What do you want to silence?', prefill: { lasts, reason } });
  return { kind: 'input', input: { events: [...read.kinds], ...ANY, ...of.input, lasts, reason } };
}

function parseOff(word: string | undefined, more: readonly string[]): TypedInput<SilenceInput> {
  const off = word === undefined ? null : numberOf(word);
  if (word === undefined)
    return usageFault({ kind: 'missing', what: 'Which silence?', prefill: { off: true } });
  if (off === null) return usageFault({ kind: 'bad-value', word, expected: 'the number of a silence' });
  const [unused] = more;
  if (unused !== undefined) return usageFault({ kind: 'unknown-word', word: unused, nearest: [] });
  return { kind: 'input', input: { off } };
}

/** A word that is near to no event may name what is to be silent. */
function elseDevice(what: UsageFault): UsageFault {
  if (what.kind !== 'unknown-word' || nearestNames(what.word, EVENT_NAME_WORDS).length > 0) return what;
  const device = `device:${quoteValue(what.word)}`;
  const group = `group:${quoteValue(what.word)}`;
  return { ...what, nearest: [device, group, ...what.nearest] };
}

/** The last `for` or `until` and what follows it. */
function splitDuration(
  free: readonly string[],
): TypedInput<{ events: readonly string[]; lasts: SilenceDuration | null }> {
  const at = free.findLastIndex((word) => /^(for|until)$/i.test(word));
  if (at < 0) return { kind: 'input', input: { events: free, lasts: null } };
  const words = free.slice(at + 1).join(' ');
  const isLength = free[at]?.toLowerCase() === 'for';
  const read = isLength ? readDuration(words) : readClockTime(words);
  if (read !== null) return { kind: 'input', input: { events: free.slice(0, at), lasts: read } };
  const expected = isLength ? 'a duration such as 90m, 2h or 3d, up to 30 days' : 'a time such as 18:00';
  return usageFault({ kind: 'bad-value', word: `${free[at]} ${words}`.trim(), expected });
}
