/** The settings of policies that records name. */
import type { PolicySettingName } from '../../fleet/model/policy-settings.ts';

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
] as const satisfies readonly PolicySettingName[];
