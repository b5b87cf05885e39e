/**
 * The settings of a policy for reboots and for notifications on the device. Assumption (§4.10): the names and limits of a
 * policy's settings, and which types of policies have them, are those of the vendor's published specification
 * ("management API in practice", SPEC25). It states no maximum for the number of deferrals.
 */
import { z } from 'zod';
import type { Stored } from '../../lib/record-fields.ts';

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

export type SettingShape =
  | { readonly kind: 'flag' }
  /** Minutes; a count where there is no most. */
  | { readonly kind: 'number'; readonly least: number; readonly most: number | null }
  /** Up to three different ones. */
  | { readonly kind: 'hours' }
  | { readonly kind: 'text'; readonly most: number };

export type PolicySetting = {
  /** The key with which it is typed. */
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

/** Which numbers a setting takes, in words. */
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
