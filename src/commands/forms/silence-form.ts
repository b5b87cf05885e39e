/** The forms of `silence`: what to keep and for how long, or which silence to end. */

import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import { happeningTitles } from '../../fleet/happenings.ts';
import type { SilenceRecord } from '../../store/alert-records.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import { lasts as lastsSchema } from '../alerting/silence-input.ts';
import { type Lasts, readLength, readTime } from '../alerting/silence-time.ts';
import { EVENT_OPTIONS } from '../alerting/subscribe-input.ts';
import { usageProblem } from '../line/faults.ts';
import { MAX_TEXT } from '../line/grammar.ts';
import { ref } from '../targets/named.ts';
import { deviceRef, reasonText } from '../targets/resolve.ts';
import { DEVICE, deviceField, deviceOption, givenReason, reasonField } from './device-form.ts';
import type { Form, FormOpened, FormPorts, FormRead } from './form.ts';
import { chosen, errorOn, idIn, textIn } from './form-values.ts';
import { groupOption } from './group-option.ts';

const EVENTS = 'events';
const GROUP = 'group';
const PACKAGE = 'package';
const LASTS = 'lasts';
const SILENCE = 'silence';
const HEAD = { name: 'silence', usage: 'silence off N' };

/** Stands for every kind of event; no kind is so named. */
const ALL = '*';
/** As they are typed after `for`. */
const LENGTHS = ['30m', '1h', '2h', '4h', '8h', '1d', '3d', '7d', '30d'] as const;
const USUAL = '2h';

const given = z
  .object({
    off: z.literal(true).optional().catch(undefined),
    group: ref.nullable().catch(null).default(null),
    device: deviceRef.nullable().catch(null).default(null),
    package: z.string().max(MAX_TEXT).nullable().catch(null).default(null),
    events: z.array(z.string()).optional().catch(undefined),
    lasts: lastsSchema.nullable().catch(null).default(null),
    reason: reasonText.catch(null).default(null),
  })
  .catch({
    off: undefined,
    group: null,
    device: null,
    package: null,
    events: undefined,
    lasts: null,
    reason: null,
  });

const ending = z.object({ off: z.literal(true) });

export const silenceForm: Form = {
  open: async (typed, ports) => {
    const asked = given.parse(typed);
    return asked.off === true ? openOff(ports) : openOn(asked, ports);
  },
  read: (values, context) => (ending.safeParse(context).success ? readOff(values) : readOn(values)),
};

type Given = z.infer<typeof given>;

async function openOn(asked: Given, ports: FormPorts): Promise<FormOpened> {
  const fields: readonly FormField[] = [
    {
      kind: 'choices',
      id: EVENTS,
      label: 'Events',
      hint: 'Leave empty to silence all events of a group or device.',
      options: [{ value: ALL, label: 'Everything' }, ...EVENT_OPTIONS],
      initial: chosenEvents(asked),
      optional: true,
    },
    {
      kind: 'search',
      id: GROUP,
      label: 'Only this group and its subgroups',
      of: 'group',
      initial: await groupOption(asked.group ?? undefined, ports),
      optional: true,
    },
    {
      ...deviceField(await deviceOption(asked.device ?? undefined, ports)),
      label: 'Only this device',
      optional: true,
    },
    {
      kind: 'text',
      id: PACKAGE,
      label: 'Only this package',
      optional: true,
      initial: asked.package ?? '',
      most: 300,
    },
    lastsField(asked.lasts),
    reasonField(asked.reason, 'Shown in the list of silences.'),
  ];
  const form = { command: 'silence', title: 'Silence alerts', submit: 'Silence', fields, context: null };
  return { kind: 'form', form };
}

/** Somebody who named no event and nothing else, but said what for, meant everything. */
function chosenEvents({ events, group, device, package: named }: Given): readonly string[] {
  if (events === undefined || events.length > 0) return events ?? [];
  return group === null && device === null && named === null ? [ALL] : [];
}

function lastsField(lasts: Lasts | null): FormField {
  const typed = lasts === null ? USUAL : textOf(lasts);
  const all = LENGTHS.some((length) => length === typed) ? LENGTHS : [typed, ...LENGTHS];
  return {
    kind: 'choice',
    id: LASTS,
    label: 'Duration',
    hint: 'To use other times, type “for 90m” or “until 18:00” in the command.',
    options: all.map((value) => ({ value, label: labelOf(value) })),
    initial: typed,
  };
}

/** As it would be typed: a length, or a time of day. */
function textOf(lasts: Lasts): string {
  if ('for' in lasts) {
    const { for: ms } = lasts;
    if (ms % DAY === 0) return `${ms / DAY}d`;
    return ms % HOUR === 0 ? `${ms / HOUR}h` : `${Math.ceil(ms / MINUTE)}m`;
  }
  const { untilMinute } = lasts;
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(untilMinute / 60))}:${two(untilMinute % 60)}`;
}

const UNITS = [
  ['m', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
] as const;

function labelOf(text: string): string {
  const unit = UNITS.find(([letter]) => text.endsWith(letter));
  if (unit === undefined) return `Until ${text}`;
  const count = Number(text.slice(0, -1));
  return `${count} ${unit[1]}${count === 1 ? '' : 's'}`;
}

function readOn(values: FieldValues): FormRead {
  const events = values.get(EVENTS) ?? [];
  const [group, device] = [idIn(values, GROUP), idIn(values, DEVICE)];
  const named = textIn(values, PACKAGE);
  if (events.length === 0 && group === null && device === null && named === '')
    return errorOn(EVENTS, 'Choose events or everything, or a group, device or package below.');
  if (events.includes(ALL) && events.length > 1)
    return errorOn(EVENTS, 'Choose either everything or some events, not both.');
  const wanted = chosen(values, LASTS) ?? USUAL;
  const lasts = readLength(wanted) ?? readTime(wanted);
  if (lasts === null) return errorOn(LASTS, 'Choose how long.');
  return {
    kind: 'input',
    input: {
      events: events.filter((kind) => kind !== ALL),
      group,
      device,
      package: named === '' ? null : named,
      lasts,
      reason: givenReason(values),
    },
  };
}

async function openOff({ settings, clock }: FormPorts): Promise<FormOpened> {
  const now = clock.now();
  const going = (await settings.alerts.silences()).filter(({ until }) => until > now);
  if (going.length === 0) {
    const fault = { kind: 'missing', what: 'There are no active silences.' } as const;
    return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  }
  const options = going.map(option);
  const field = { kind: 'choice', id: SILENCE, label: 'Silence', options, initial: null } as const;
  const form = { command: 'silence', title: 'End a silence', submit: 'End silence', context: { off: true } };
  return { kind: 'form', form: { ...form, fields: [field] } };
}

function option({ number, scope, reason }: SilenceRecord): FormOption {
  const kinds = scope.kinds.length === 0 ? 'all alerts' : happeningTitles(scope.kinds);
  const of = [scope.device?.name, scope.group?.name, scope.patch].filter((name) => typeof name === 'string');
  const what = of.length === 0 ? kinds : `${kinds} (${of.join(', ')})`;
  const label = `${number}: ${what}`;
  return { value: String(number), label, ...(reason === null ? {} : { detail: reason }) };
}

function readOff(values: FieldValues): FormRead {
  const off = idIn(values, SILENCE);
  return off === null ? errorOn(SILENCE, 'Choose a silence.') : { kind: 'input', input: { off } };
}
