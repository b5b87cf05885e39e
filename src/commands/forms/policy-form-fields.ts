/** The fields of a policy as a form shows them. Pure. */
import type { Dialect } from '../../fleet/dialect.ts';
import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import { SEVERITIES } from '../../fleet/model/derived-fields.ts';
import {
  DAYS,
  DEVICE_TIME,
  MAX_DEFERRAL_HOURS,
  MAX_DEFERRAL_PERIODS,
  MONTHS,
  POLICY_SETTINGS,
  type PolicySchedule,
  type PolicySettingName,
  type PolicySettings,
  type SettingValue,
  setBits,
  settingsOfType,
  WEEKS,
} from '../../fleet/model/policy.ts';
import { upperFirst } from '../../lib/text.ts';
import type { FormField, FormOption } from '../../views/models/form-model.ts';
import { FIELD_KEYS } from '../changes/policy-fields.ts';
import { notesField } from './shared/notes-field.ts';

/** Initial values of the fields. */
export type PolicyFieldValues = {
  readonly name: string;
  readonly groups: readonly FormOption[];
  readonly schedule: PolicySchedule;
  readonly notes: string;
  readonly settings: PolicySettings;
  /** Only a new policy lets choose what it installs; null: the policy is there. */
  readonly severities: readonly string[] | null;
};

/** All settings that are on or off are one field. */
export const FLAGS_FIELD = 'flags';
const MAX_NAME = 200;

/** `ending` keeps the fields of one policy apart from those of another. */
export function policyFields(
  { ending, type }: { readonly ending: string; readonly type: string | null },
  now: PolicyFieldValues,
  dialect: Dialect,
): readonly FormField[] {
  const id = (field: string) => `${field}${ending}`;
  const most = Math.max(MAX_NAME, now.name.length);
  return [
    { kind: 'text', id: id('name'), label: 'Name', initial: now.name, most },
    ...severityFields(now, id('severity')),
    {
      kind: 'searches',
      id: id('groups'),
      label: 'Groups',
      of: 'group',
      initial: now.groups,
      optional: true,
    },
    ...scheduleFields(id, now.schedule, dialect),
    notesField(id('notes'), now.notes),
    ...settingFields(id, type, now.settings),
  ];
}

function severityFields({ severities }: PolicyFieldValues, id: string): readonly FormField[] {
  if (severities === null) return [];
  const options = SEVERITIES.map((value) => ({ value, label: upperFirst(value) }));
  return [
    {
      kind: 'choices',
      id,
      label: 'Patches to install',
      hint: 'Without a choice, all that are available.',
      options,
      initial: severities,
      optional: true,
    },
  ];
}

function scheduleFields(
  id: (field: string) => string,
  schedule: PolicySchedule,
  dialect: Dialect,
): readonly FormField[] {
  const masked = (field: string, label: string, mask: number | null, names: readonly string[]): FormField => {
    const initial = mask === null ? null : setBits(mask, names);
    // Sent back, bits of another meaning would get lost.
    if (initial === null)
      return { kind: 'words', text: `${label}: not known, so they can’t be changed here.` };
    const options = names.map((name) => ({ value: name, label: upperFirst(name) }));
    const hint = names === WEEKS ? { hint: WEEKS_HINT } : {};
    return { kind: 'choices', id: id(field), label, ...hint, options, initial, optional: true };
  };
  return [
    masked('days', 'Days', schedule.days, DAYS),
    { kind: 'time', id: id('time'), label: 'Time', initial: clock(schedule.time), optional: true },
    ...(dialect.policyTimezones ? [zoneField(id('zone'), schedule.timezone)] : []),
    masked('weeks', 'Weeks of the month', schedule.weeksOfMonth, WEEKS),
    masked('months', 'Months', schedule.months, MONTHS),
  ];
}

/** Seen live (terraform-provider-automox, schedule bitmask, 2026-07-31). */
const WEEKS_HINT = 'Calendar weeks: the second week may not be the one with the second Tuesday.';

/** Slack rejects another form of a time. */
function clock(time: string | null): string | null {
  return time !== null && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? time : null;
}

/** The offsets that are in use somewhere, and the current one. */
const OFFSETS = [
  ...Array.from({ length: 27 }, (_, at) => at - 12).map((hours) => offsetText(hours, '00')),
  ...['UTC-0330', 'UTC+0330', 'UTC+0430', 'UTC+0530', 'UTC+0545', 'UTC+0630', 'UTC+0930'],
];

function offsetText(hours: number, minutes: string): string {
  return `UTC${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}${minutes}`;
}

function zoneField(id: string, now: string | null): FormField {
  const known = now === null || now === DEVICE_TIME || OFFSETS.includes(now) ? OFFSETS : [now, ...OFFSETS];
  return {
    kind: 'choice',
    id,
    label: 'Time zone',
    options: [
      { value: DEVICE_TIME, label: 'Each device’s own time' },
      ...known.map((value) => ({ value, label: value })),
    ],
    initial: now,
    optional: true,
  };
}

function settingFields(
  id: (field: string) => string,
  type: string | null,
  settings: PolicySettings,
): readonly FormField[] {
  const known = settingsOfType(type);
  const flags = known.filter(isFlag);
  if (flags.length === 0) return [];
  return [
    {
      kind: 'choices',
      id: id(FLAGS_FIELD),
      label: 'Reboots and notifications',
      options: flags.map((name) => ({ value: name, label: upperFirst(FIELD_LABELS[name]) })),
      initial: flags.filter((name) => settings[name] === true),
      optional: true,
    },
    ...known.filter((name) => !isFlag(name)).map((name) => settingField(id, name, settings[name])),
  ];
}

export function isFlag(name: PolicySettingName): boolean {
  return POLICY_SETTINGS[name].shape.kind === 'flag';
}

function settingField(
  id: (field: string) => string,
  name: PolicySettingName,
  value: SettingValue | undefined,
): FormField {
  const { shape } = POLICY_SETTINGS[name];
  const initial = value === undefined ? '' : typeof value === 'object' ? value.join(', ') : String(value);
  const most = shape.kind === 'text' ? Math.max(shape.most, initial.length) : Math.max(30, initial.length);
  const hint = settingHint(name);
  return {
    kind: 'text',
    id: id(FIELD_KEYS[name] ?? name),
    label: upperFirst(FIELD_LABELS[name]),
    initial,
    most,
    optional: true,
    ...(hint === null ? {} : { hint }),
  };
}

function settingHint(name: PolicySettingName): string | null {
  const { shape } = POLICY_SETTINGS[name];
  if (shape.kind === 'hours')
    return `Hours, such as 1, 4, 8. Up to ${MAX_DEFERRAL_PERIODS}, each at most ${MAX_DEFERRAL_HOURS}.`;
  return shape.kind === 'number' && shape.most !== null
    ? `In minutes, ${shape.least} to ${shape.most}.`
    : null;
}
