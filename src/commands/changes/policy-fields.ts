/** The fields of a policy as they are typed or chosen, and as the service takes them. */

import { z } from 'zod';
import type { Dialect } from '../../fleet/dialect.ts';
import { policyFieldFaults } from '../../fleet/editor/policy-fields.ts';
import type { PolicyChange, PolicyField } from '../../fleet/model/changes.ts';
import { SEVERITIES } from '../../fleet/model/derived-fields.ts';
import {
  allBits,
  bitsAt,
  DAYS,
  DEVICE_TIME,
  MONTHS,
  numberRange,
  POLICY_SETTING_NAMES,
  POLICY_SETTINGS,
  type PolicySettingName,
  type PolicySettings,
  type SettingValue,
  setBits,
  settingsOfType,
  WEEKDAYS,
  WEEKS,
} from '../../fleet/model/policy.ts';
import type { GroupId } from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import { upperFirst } from '../../lib/text.ts';
import type { UsageFault } from '../../views/views.ts';
import { type Argument, argumentsOf, notes, recordName, records } from '../core/arguments.ts';
import type { TypedInput } from '../core/command.ts';
import { selectedValue } from '../core/field-values.ts';
import { type FilterToken, type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { badValue, listedValues, readYesNo } from '../parser/usage-errors.ts';
import { nameOrId } from '../targets/name-lookup.ts';

const text = z.string().max(MAX_LINE_LENGTH);

/** Days, weeks or months. */
function mask(
  key: string,
  label: string,
  names: readonly string[],
  typed: { readonly read: (text: string) => number | undefined; readonly expected: string },
  hint: { readonly hint?: string } = {},
): Argument<number, number | null> {
  return {
    key,
    schema: z.int().nonnegative(),
    ...typed,
    draw(id, now) {
      const initial = now === null ? null : setBits(now, names);
      // Sent back, bits of another meaning would get lost.
      if (initial === null)
        return [{ kind: 'words', text: `${label}: not known, so they can’t be changed here.` }];
      const options = names.map((name) => ({ value: name, label: upperFirst(name) }));
      return [{ kind: 'choices', id, label, ...hint, options, initial, optional: true }];
    },
    enter(values, id) {
      const chosen = values.get(id)?.map((name) => names.indexOf(name));
      return chosen && bitsAt(chosen.filter((at) => at >= 0));
    },
  };
}

const time: Argument<string, string | null> = {
  key: 'time',
  schema: text,
  expected: 'a time such as 02:00',
  read: readTime,
  draw(id, now) {
    // Slack rejects another form of a time.
    const initial = now !== null && /^([01]\d|2[0-3]):[0-5]\d$/.test(now) ? now : null;
    return [{ kind: 'time', id, label: 'Time', initial, optional: true }];
  },
};

/** The offsets that are in use somewhere. */
const OFFSETS = [
  ...Array.from({ length: 27 }, (_, at) => offsetText(at - 12)),
  ...['UTC-0330', 'UTC+0330', 'UTC+0430', 'UTC+0530', 'UTC+0545', 'UTC+0630', 'UTC+0930'],
];

function offsetText(hours: number): string {
  return `UTC${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}00`;
}

const timezone: Argument<string, string | null> = {
  key: 'zone',
  schema: text,
  expected: 'zone:device, or an offset such as zone:UTC+1',
  read: readZone,
  draw(id, now, { policyTimezones }) {
    if (!policyTimezones) return [];
    const isKnown = now === null || now === DEVICE_TIME || OFFSETS.includes(now);
    const offsets = (isKnown ? OFFSETS : [now, ...OFFSETS]).map((value) => ({ value, label: value }));
    const options = [{ value: DEVICE_TIME, label: 'Each device’s own time' }, ...offsets];
    return [{ kind: 'choice', id, label: 'Time zone', options, initial: now, optional: true }];
  },
  // The offset of a policy that is left as it is need not be one that is typed.
  enter: (values, id) => selectedValue(values, id) ?? undefined,
};

/** Of a new policy. */
const severities: Argument<string[], readonly string[]> = {
  key: 'severity',
  untyped: true,
  schema: z.array(text).max(10),
  draw(id, initial) {
    const options = SEVERITIES.map((value) => ({ value, label: upperFirst(value) }));
    const hint = 'Without a choice, all that are available.';
    return [{ kind: 'choices', id, label: 'Patches to install', hint, options, initial, optional: true }];
  },
  enter(values, id) {
    const chosen = values.get(id) ?? [];
    return chosen.length === 0 ? undefined : chosen;
  },
};

/** Seen live (terraform-provider-automox, schedule bitmask, 2026-07-31). */
const WEEKS_HINT = 'Calendar weeks: the second week may not be the one with the second Tuesday.';

export const POLICY_ARGUMENTS = argumentsOf({
  name: recordName,
  notes,
  groups: records('group', 'groups', 'Groups'),
  days: mask('days', 'Days', DAYS, {
    read: (text) => (text.trim().toLowerCase() === 'weekdays' ? WEEKDAYS : readMask(text, DAYS)),
    expected: 'days:mon,thu, days:weekdays, days:every or days:none',
  }),
  weeksOfMonth: mask(
    'weeks',
    'Weeks of the month',
    WEEKS,
    { read: readWeeks, expected: 'weeks:every, or numbers from 1 to 5 such as weeks:1,3' },
    { hint: WEEKS_HINT },
  ),
  months: mask('months', 'Months', MONTHS, {
    read: (typed) => readMask(typed, MONTHS),
    expected: 'months:every, or names such as months:mar,sep',
  }),
  time,
  timezone,
  severities,
});

const { name, notes: notesSchema, groups, ...rest } = POLICY_ARGUMENTS.input.shape;
export const policyInput = z.object({
  name,
  notes: notesSchema,
  /** The whole list; a typed line adds and removes. */
  groups,
  add: z.array(nameOrId).max(100).readonly().exactOptional(),
  remove: z.array(nameOrId).max(100).readonly().exactOptional(),
  ...rest,
  settings: z
    .partialRecord(
      z.enum(POLICY_SETTING_NAMES),
      z.union([z.boolean(), z.number(), z.string().max(3_000), z.array(z.number()).max(100).readonly()]),
    )
    .exactOptional(),
});
export type PolicyInput = z.infer<typeof policyInput>;

const SETTING_KEYS = POLICY_SETTING_NAMES.map((name) => POLICY_SETTINGS[name].key);
const TEXT_KEYS = POLICY_SETTING_NAMES.filter((name) => POLICY_SETTINGS[name].shape.kind === 'text').map(
  (name) => POLICY_SETTINGS[name].key,
);

export const POLICY_USAGE =
  '[days:mon,thu|weekdays|every|none] [time:02:00] [zone:device|UTC+1] [weeks:1,3|every] [months:mar,sep|every] [notes:TEXT] [reboot:yes|no] [notify:yes|no] [notify-reboot:yes|no] [notify-pending:yes|no] [deferrals:N] [defer:1,4,8] [pending-deferrals:N] [pending-defer:1,4,8] [timeout:MINUTES] [pending-timeout:MINUTES] [text:TEXT] [text-mac:TEXT] [reboot-text:TEXT] [reboot-text-mac:TEXT] [pending-text:TEXT] [pending-text-mac:TEXT] [because REASON]';

/** `name:` and `-group:` only for a policy that is there, `severity:` only for a new one. */
export function parsePolicy(
  words: LineWords,
  { isNew }: { readonly isNew: boolean },
): TypedInput<PolicyInput> {
  const read = POLICY_ARGUMENTS.parse(words, {
    free: true,
    reason: true,
    without: isNew ? ['name'] : [],
    once: SETTING_KEYS,
    many: ['group', ...(isNew ? ['severity'] : [])],
    removable: isNew ? [] : ['group'],
    empty: ['notes', ...TEXT_KEYS],
  });
  if (read.kind === 'fault') return read;
  const settings = settingsFrom(words.filters);
  if (settings.kind === 'fault') return settings;
  const all = (key: string) => words.filters.filter((filter) => filter.key === key);
  const severities = all('severity').flatMap(({ value }) => commaParts(value.toLowerCase()));
  return {
    kind: 'input',
    input: defined({
      ...read.input,
      add: listedValues(all('group'), false),
      remove: listedValues(all('group'), true),
      severities: severities.length === 0 ? undefined : [...new Set(severities)],
      settings: Object.keys(settings.input).length === 0 ? undefined : settings.input,
    }),
  };
}

function settingsFrom(filters: readonly FilterToken[]): TypedInput<PolicySettings> {
  const entries: [PolicySettingName, SettingValue][] = [];
  for (const name of POLICY_SETTING_NAMES) {
    const token = filters.find(({ key }) => key === POLICY_SETTINGS[name].key);
    if (token === undefined) continue;
    const value = readSetting(name, token.value);
    if (value === null) return badValue(token, expectedSetting(name));
    entries.push([name, value]);
  }
  return { kind: 'input', input: Object.fromEntries(entries) };
}

/** The fields as the service takes them; `groupIds` are the groups that the input comes to. */
export function policyChange(input: PolicyInput, groupIds: readonly GroupId[] | undefined): PolicyChange {
  const { name, notes, days, weeksOfMonth, months, time, timezone, settings } = input;
  const schedule = { days, weeksOfMonth, months, time, timezone };
  return defined({
    name: name?.trim(),
    notes,
    groupIds: groupIds && [...new Set(groupIds)],
    ...schedule,
    settings,
  });
}

/** What the service would not take of a policy of this type, in the words of a line that was typed. */
export function policyUsageFault(
  input: PolicyInput,
  type: string | null,
  dialect: Dialect,
): UsageFault | null {
  const known = settingsOfType(type);
  const strange = POLICY_SETTING_NAMES.find(
    (name) => input.settings?.[name] !== undefined && !known.includes(name),
  );
  if (strange !== undefined) {
    const keys = known.map((name) => `${POLICY_SETTINGS[name].key}:`).join(', ');
    const expected =
      keys === '' ? 'no such setting: policies of this type have none' : `a setting of this policy: ${keys}`;
    return { kind: 'bad-value', word: `${POLICY_SETTINGS[strange].key}:`, expected };
  }
  const { severities } = input;
  const change = { ...policyChange(input, undefined), ...(severities === undefined ? {} : { severities }) };
  const [first] = policyFieldFaults(change, dialect);
  return first === undefined
    ? null
    : { kind: 'bad-value', word: wordOf(first.field, input), expected: first.expected };
}

/** The key of the field's filter, which is the id of its field in the form, too. */
export const FIELD_KEYS: Readonly<Partial<Record<PolicyField, string>>> = {
  name: 'name',
  notes: 'notes',
  groupIds: 'groups',
  severities: 'severity',
  days: 'days',
  weeksOfMonth: 'weeks',
  months: 'months',
  time: 'time',
  timezone: 'zone',
  ...Object.fromEntries(POLICY_SETTING_NAMES.map((name) => [name, POLICY_SETTINGS[name].key])),
};

function wordOf(field: PolicyField, { name, time, severities, settings = {} }: PolicyInput): string {
  const typed: Readonly<Partial<Record<PolicyField, unknown>>> = {
    name,
    time,
    severities,
    ...settings,
  };
  const value = typed[field];
  return `${FIELD_KEYS[field] ?? field}:${value === undefined ? '' : String(value)}`;
}

function commaParts(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `every`, or numbers such as `1,3`. */
function readWeeks(text: string): number | undefined {
  const numbered = commaParts(text).map((part) => (/^[1-5]$/.test(part) ? WEEKS[Number(part) - 1] : part));
  return readMask(numbered.join(','), WEEKS);
}

/** `every`, `none`, or names such as `mar,sep`. */
function readMask(text: string, names: readonly string[]): number | undefined {
  const parts = commaParts(text.toLowerCase());
  const [only] = parts;
  if (only === undefined) return undefined;
  if (parts.length === 1 && only === 'every') return allBits(names);
  if (parts.length === 1 && only === 'none') return 0;
  const positions = parts.map((part) =>
    part.length < 3 ? -1 : names.findIndex((name) => name.toLowerCase().startsWith(part)),
  );
  return positions.includes(-1) ? undefined : bitsAt(positions);
}

/** `02:00` or `2:00`. */
function readTime(text: string): string | undefined {
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  return hours === '' ? undefined : `${hours.padStart(2, '0')}:${minutes}`;
}

/** `device`, or an offset up to 14 hours such as `UTC+1` or `UTC+05:30`, as the service spells it. */
function readZone(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === DEVICE_TIME) return DEVICE_TIME;
  if (typed === 'utc') return 'UTC+0000';
  const [, sign, hours = '', minutes = '00'] = /^utc([+-])(0?\d|1[0-4]):?([0-5]\d)?$/.exec(typed) ?? [];
  return sign === undefined ? undefined : `UTC${sign}${hours.padStart(2, '0')}${minutes}`;
}

const NUMBER = /^\d{1,9}$/;

/** The value of a setting, which need not be one that the service takes. */
export function readSetting(name: PolicySettingName, text: string): SettingValue | null {
  const typed = text.trim();
  switch (POLICY_SETTINGS[name].shape.kind) {
    case 'flag':
      return readYesNo(typed);
    case 'number':
      return NUMBER.test(typed) ? Number(typed) : null;
    case 'hours': {
      const parts = commaParts(typed);
      return parts.length > 0 && parts.every((part) => NUMBER.test(part)) ? parts.map(Number) : null;
    }
    case 'text':
      return typed;
  }
}

/** What the key takes, for the sentence that names a value it does not. */
export function expectedSetting(name: PolicySettingName): string {
  const { key, shape } = POLICY_SETTINGS[name];
  switch (shape.kind) {
    case 'flag':
      return `${key}:yes or ${key}:no`;
    case 'number':
      return numberRange(shape);
    case 'hours':
      return `hours such as ${key}:1,4,8`;
    case 'text':
      return `a text of at most ${shape.most} characters`;
  }
}
