/** The known settings in a policy's configuration: their names there, and how they are read. Everything else stays unread. */
import type { PolicySettingName, PolicySettings, SettingValue } from '../model/policy-settings.ts';
import { asFlag, asNumber, asObject, asText, type RawObject } from './fields.ts';

const SETTINGS: Readonly<
  Record<PolicySettingName, readonly [wire: string, read: (value: unknown) => SettingValue | null]>
> = {
  autoReboot: ['auto_reboot', asFlag],
  notifyPatch: ['notify_user', asFlag],
  notifyReboot: ['notify_reboot_user', asFlag],
  notifyPending: ['notify_deferred_reboot_user', asFlag],
  deferrals: ['custom_notification_max_delays', asNumber],
  deferralHours: ['custom_notification_deferment_periods', asHours],
  pendingDeferrals: ['custom_pending_reboot_notification_max_delays', asNumber],
  pendingDeferralHours: ['custom_pending_reboot_notification_deferment_periods', asHours],
  timeout: ['notify_user_message_timeout', asNumber],
  pendingTimeout: ['notify_deferred_reboot_user_message_timeout', asNumber],
  patchText: ['custom_notification_patch_message', asText],
  patchTextMac: ['custom_notification_patch_message_mac', asText],
  rebootText: ['custom_notification_reboot_message', asText],
  rebootTextMac: ['custom_notification_reboot_message_mac', asText],
  pendingText: ['custom_pending_reboot_notification_message', asText],
  pendingTextMac: ['custom_pending_reboot_notification_message_mac', asText],
};

function asHours(value: unknown): readonly number[] | null {
  const hours = Array.isArray(value) ? value.map(asNumber) : [null];
  return hours.every((one) => one !== null) ? hours : null;
}

/** The name of the setting in the service's `configuration`. */
export function settingWireName(name: PolicySettingName): string {
  return SETTINGS[name][0];
}

/** Those that the configuration states. */
export function readSettings(configuration: RawObject): PolicySettings {
  const read = Object.entries(SETTINGS).flatMap(([name, [wire, readValue]]) => {
    const value = readValue(configuration[wire]);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(read);
}

/** Fields of the policy that some configurations hold as well. */
export const ZONE_FIELDS = ['use_scheduled_timezone', 'scheduled_timezone'] as const;

const WIRE_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(SETTINGS).map(([wire]) => wire),
  ...ZONE_FIELDS,
]);

/** The rest of the configuration: scripts, filters and whatever is not known here. */
export function otherSettings(configuration: RawObject): RawObject {
  const rest = Object.entries(configuration).filter(([key]) => !WIRE_NAMES.has(key));
  return withoutSecretNotes(Object.fromEntries(rest));
}

/** How many policies share the secret, and a free text: both change while the policy stays the same. */
const SECRET_NOTES = ['numPolicies', 'description'];

/**
 * The configuration without what it tells about its shared secrets besides their names and ids (seen live:
 * terraform-provider-automox, policy/state.go, 2026).
 */
export function withoutSecretNotes(configuration: RawObject): RawObject {
  const secrets = asObject(configuration['secrets']);
  if (secrets === null) return configuration;
  const bound = Object.entries(secrets).map(([name, value]) => {
    const fields = Object.entries(asObject(value) ?? {}).filter(([key]) => !SECRET_NOTES.includes(key));
    return [name, asObject(value) === null ? value : Object.fromEntries(fields)];
  });
  return { ...configuration, secrets: Object.fromEntries(bound) };
}
