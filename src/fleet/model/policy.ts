/**
 * Policies (§4.10): their settings and the bits of their schedule. A policy's configuration holds scripts and secrets, so
 * only its known settings leave this folder.
 */
import { z } from 'zod';
import type { Stored } from '../../lib/record-fields.ts';

/** Each device follows its own clock. */
export const DEVICE_TIME = 'device';

/**
 * The settings of a policy for reboots and for notifications on the device. Assumption (§4.10): the names and limits of a
 * policy's settings, and which types of policies have them, are those of the vendor's published specification
 * ("management API in practice", SPEC25). It states no maximum for the number of deferrals.
 */
export const POLICY_SETTING_NAMES = [
  'autoReboot',
  'notifyPatch',
  'notifyReboot',
  'notifyPending',
  'deferrals',
  'deferralHours',
  'pendingDeferrals',
  'pendingDeferralHours',
  'timeout',
  'pendingTimeout',
  'patchText',
  'patchTextMac',
  'rebootText',
  'rebootTextMac',
  'pendingText',
  'pendingTextMac',
] as const;
export type PolicySettingName = (typeof POLICY_SETTING_NAMES)[number];
export const policySettings = z.partialRecord(
  z.enum(POLICY_SETTING_NAMES),
  z.union([z.boolean(), z.number(), z.string(), z.array(z.number())]),
);
export type PolicySettings = Stored<typeof policySettings>;
export type SettingValue = NonNullable<PolicySettings[PolicySettingName]>;

type SettingShape =
  | { readonly kind: 'flag' }
  /** Minutes; a count where there is no most. */
  | { readonly kind: 'number'; readonly least: number; readonly most: number | null }
  /** Up to three different ones. */
  | { readonly kind: 'hours' }
  | { readonly kind: 'text'; readonly most: number };

type PolicySetting = {
  readonly key: string;
  readonly shape: SettingShape;
  /** Only policies that install patches have it; the others are those of Worklets, too. */
  readonly patchOnly?: true;
};

const FLAG = { kind: 'flag' } as const;
const COUNT = { kind: 'number', least: 0, most: null } as const;
const HOURS = { kind: 'hours' } as const;
const MINUTES = { kind: 'number', least: 15, most: 480 } as const;
const WINDOWS_TEXT = { kind: 'text', most: 125 } as const;
const MAC_TEXT = { kind: 'text', most: 70 } as const;
const patchOnly = true;

export const POLICY_SETTINGS: Readonly<Record<PolicySettingName, PolicySetting>> = {
  autoReboot: { key: 'reboot', shape: FLAG },
  notifyPatch: { key: 'notify', shape: FLAG, patchOnly },
  notifyReboot: { key: 'notify-reboot', shape: FLAG },
  notifyPending: { key: 'notify-pending', shape: FLAG },
  deferrals: { key: 'deferrals', shape: COUNT },
  deferralHours: { key: 'defer', shape: HOURS, patchOnly },
  pendingDeferrals: { key: 'pending-deferrals', shape: COUNT },
  pendingDeferralHours: { key: 'pending-defer', shape: HOURS },
  timeout: { key: 'timeout', shape: MINUTES, patchOnly },
  pendingTimeout: { key: 'pending-timeout', shape: MINUTES },
  patchText: { key: 'text', shape: WINDOWS_TEXT, patchOnly },
  patchTextMac: { key: 'text-mac', shape: MAC_TEXT, patchOnly },
  rebootText: { key: 'reboot-text', shape: WINDOWS_TEXT, patchOnly },
  rebootTextMac: { key: 'reboot-text-mac', shape: MAC_TEXT, patchOnly },
  pendingText: { key: 'pending-text', shape: WINDOWS_TEXT },
  pendingTextMac: { key: 'pending-text-mac', shape: MAC_TEXT },
};

/** Deferral periods: hours, and how many a person can choose from. */
export const MAX_DEFERRAL_HOURS = 24;
export const MAX_DEFERRAL_PERIODS = 3;

/** The settings that policies of this type have; null: a type of which nothing is known. */
export function settingsOfType(type: string | null): readonly PolicySettingName[] {
  if (type === 'patch') return POLICY_SETTING_NAMES;
  if (type === 'custom') return POLICY_SETTING_NAMES.filter((name) => !POLICY_SETTINGS[name].patchOnly);
  return [];
}

/** What the value has to be, in words; null where it is that. */
export function settingFault(name: PolicySettingName, value: SettingValue): string | null {
  const { shape } = POLICY_SETTINGS[name];
  switch (shape.kind) {
    case 'flag':
      return typeof value === 'boolean' ? null : 'yes or no';
    case 'number': {
      const { least, most } = shape;
      const isRight =
        typeof value === 'number' &&
        Number.isSafeInteger(value) &&
        value >= least &&
        (most === null || value <= most);
      return isRight ? null : numberRange(shape);
    }
    case 'hours':
      return Array.isArray(value) && isPeriods(value)
        ? null
        : `up to ${MAX_DEFERRAL_PERIODS} different numbers of hours from 1 to ${MAX_DEFERRAL_HOURS}`;
    case 'text':
      return typeof value === 'string' && [...value].length <= shape.most
        ? null
        : `at most ${shape.most} characters`;
  }
}

export function numberRange({ least, most }: Extract<SettingShape, { kind: 'number' }>): string {
  return most === null ? `a whole number from ${least}` : `${least} to ${most} minutes`;
}

function isPeriods(hours: readonly unknown[]): boolean {
  const isHours = (one: unknown) =>
    typeof one === 'number' && Number.isInteger(one) && one >= 1 && one <= MAX_DEFERRAL_HOURS;
  const { length } = hours;
  return (
    length > 0 && length <= MAX_DEFERRAL_PERIODS && new Set(hours).size === length && hours.every(isHours)
  );
}

/**
 * The bits of a policy's schedule as the live service has them ("management API in practice" 9): the lowest is unused,
 * then one for each day from Monday, each week of the month, each month from January. Pure.
 */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const WEEKS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
/** Monday to Friday. */
export const WEEKDAYS = 62;

export function allBits(names: readonly string[]): number {
  return 2 ** (names.length + 1) - 2;
}

export function bitsAt(positions: readonly number[]): number {
  return [...new Set(positions)].reduce((mask, at) => mask + 2 ** (at + 1), 0);
}

/** The names whose bits are set; null where unknown bits are set. */
export function setBits(mask: number, names: readonly string[]): readonly string[] | null {
  if (!isMask(mask, names)) return null;
  return names.filter((_, at) => (mask & (2 ** (at + 1))) !== 0);
}

/** Whether only bits that mean one of these are set. */
export function isMask(mask: number, names: readonly string[]): boolean {
  return Number.isInteger(mask) && mask >= 0 && mask <= allBits(names) && mask % 2 === 0;
}
