/** The fields of a policy before and after an edit, in plain words. Pure; whoever shows them escapes them. */
import { joinWithAnd } from '../../lib/text.ts';
import type { EditedField, NewPolicy } from '../model/changes.ts';
import { DEVICE_TIME } from '../model/policy.ts';
import { POLICY_SETTINGS, type PolicySettingName, type SettingValue } from '../model/policy-settings.ts';
import { DAYS, MONTHS, setBits, WEEKDAYS, WEEKS } from '../model/schedule-bits.ts';
import { type BeforeAndAfter, listChange, listText, nameWithId, textOrNone } from './field-change.ts';
import type { PolicyEditFacts, PolicySnapshot } from './policy-edit-facts.ts';

/** Null for a field that no policy has. */
export function policyFieldChange(
  field: EditedField,
  { current, groups }: PolicyEditFacts,
  wanted: Partial<NewPolicy>,
): BeforeAndAfter | null {
  const before = (words: (now: PolicySnapshot) => string) => (current === null ? null : words(current));
  switch (field) {
    case 'name':
      return [before(({ name }) => textOrNone(name)), textOrNone(wanted.name ?? null)];
    case 'notes':
      return [before(({ notes }) => textOrNone(notes)), textOrNone(wanted.notes ?? null)];
    case 'severities':
      return [null, severitiesText(wanted.severities ?? [])];
    case 'groupIds':
      return current === null
        ? [null, listText(groups.map(nameWithId))]
        : listChange(current.groups.map(nameWithId), groups.map(nameWithId));
    case 'days':
      return [before(({ schedule }) => daysText(schedule.days)), daysText(wanted.days ?? null)];
    case 'weeksOfMonth':
      return [
        before(({ schedule }) => weeksText(schedule.weeksOfMonth)),
        weeksText(wanted.weeksOfMonth ?? null),
      ];
    case 'months':
      return [before(({ schedule }) => monthsText(schedule.months)), monthsText(wanted.months ?? null)];
    case 'time':
      return [before(({ schedule }) => textOrNone(schedule.time)), textOrNone(wanted.time ?? null)];
    case 'timezone':
      return [before(({ schedule }) => zoneText(schedule.timezone)), zoneText(wanted.timezone ?? null)];
    default:
      if (!isSetting(field)) return null;
      return [
        before(({ settings }) => settingText(field, settings[field])),
        settingText(field, wanted.settings?.[field]),
      ];
  }
}

function isSetting(field: EditedField): field is PolicySettingName {
  return Object.hasOwn(POLICY_SETTINGS, field);
}

function severitiesText(severities: readonly string[]): string {
  return severities.length === 0 ? 'all that are available' : `only ${joinWithAnd(severities)} severity`;
}

function daysText(mask: number | null): string {
  return mask === WEEKDAYS
    ? 'Monday to Friday'
    : maskText(mask, DAYS, 'every day', 'none (runs only by hand)');
}

function weeksText(mask: number | null): string {
  return maskText(mask, WEEKS, 'every week', 'none');
}

function monthsText(mask: number | null): string {
  return maskText(mask, MONTHS, 'every month', 'none');
}

function maskText(mask: number | null, names: readonly string[], all: string, none: string): string {
  if (mask === null) return 'unknown';
  const named = setBits(mask, names);
  if (named === null) return `unrecognized (${mask})`;
  if (named.length === names.length) return all;
  return named.length === 0 ? none : joinWithAnd(named);
}

/** Whose clock the schedule follows. */
export function zoneText(timezone: string | null): string {
  if (timezone === null) return 'unknown';
  return timezone === DEVICE_TIME ? 'each device’s own time' : timezone;
}

/** A setting that the configuration lacks is as the service takes it by itself. */
export function settingText(name: PolicySettingName, value: SettingValue | undefined): string {
  if (value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return textOrNone(value);
  if (typeof value === 'number') {
    const { shape } = POLICY_SETTINGS[name];
    return shape.kind === 'number' && shape.most !== null ? `${value} minutes` : String(value);
  }
  return value.length === 0 ? 'none' : `${joinWithAnd(value.toSorted((a, b) => a - b).map(String))} hours`;
}
