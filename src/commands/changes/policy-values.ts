/** Values of a policy's fields as people type them. Pure; null for what is not understood. */
import {
  allBits,
  bitsAt,
  DAYS,
  DEVICE_TIME,
  MONTHS,
  numberRange,
  POLICY_SETTINGS,
  type PolicySettingName,
  type SettingValue,
  WEEKDAYS,
  WEEKS,
} from '../../fleet/model/policy.ts';
import { readYesNo } from '../parser/filter-keys.ts';

export function commaParts(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** `weekdays`, `every`, `none`, or names such as `mon,thu`. */
export function readDays(text: string): number | null {
  return text.trim().toLowerCase() === 'weekdays' ? WEEKDAYS : readMask(text, DAYS);
}

/** `every`, or numbers such as `1,3`. */
export function readWeeks(text: string): number | null {
  const numbered = commaParts(text).map((part) => (/^[1-5]$/.test(part) ? WEEKS[Number(part) - 1] : part));
  return readMask(numbered.join(','), WEEKS);
}

/** `every`, or names such as `mar,sep`. */
export function readMonths(text: string): number | null {
  return readMask(text, MONTHS);
}

function readMask(text: string, names: readonly string[]): number | null {
  const parts = commaParts(text.toLowerCase());
  const [only] = parts;
  if (only === undefined) return null;
  if (parts.length === 1 && only === 'every') return allBits(names);
  if (parts.length === 1 && only === 'none') return 0;
  const positions = parts.map((part) =>
    part.length < 3 ? -1 : names.findIndex((name) => name.toLowerCase().startsWith(part)),
  );
  return positions.includes(-1) ? null : bitsAt(positions);
}

/** `02:00` or `2:00`. */
export function readTime(text: string): string | null {
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? [];
  return hours === '' ? null : `${hours.padStart(2, '0')}:${minutes}`;
}

/** `device`, or an offset up to 14 hours such as `UTC+1` or `UTC+05:30`, as the service spells it. */
export function readZone(text: string): string | null {
  const typed = text.trim().toLowerCase();
  if (typed === DEVICE_TIME) return DEVICE_TIME;
  if (typed === 'utc') return 'UTC+0000';
  const [, sign, hours = '', minutes = '00'] = /^utc([+-])(0?\d|1[0-4]):?([0-5]\d)?$/.exec(typed) ?? [];
  return sign === undefined ? null : `UTC${sign}${hours.padStart(2, '0')}${minutes}`;
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
