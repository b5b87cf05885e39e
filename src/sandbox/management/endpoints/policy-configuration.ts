/**
 * The configuration of a policy in a request. Scripts and unknown keys are stored as received; settings for reboots and
 * notifications have the limits of the vendor's published specification ("in practice", SPEC25, policy configurations).
 */
import { z } from 'zod';
import {
  booleanField,
  integerField,
  listField,
  rangeField,
  requiredField,
  textField,
} from './body-fields.ts';

const HOURS_MAX = 24;
const PERIODS_MAX = 3;
const WINDOWS_TEXT = 125;
const MAC_TEXT = 70;

const named = (name: string) => `configuration.${name}`;
const flag = (name: string) => [name, booleanField(named(name)).nullish()] as const;
const minutes = (name: string) => [name, rangeField(named(name), 15, 480).nullish()] as const;
/** The specification states no most. */
const count = (name: string) =>
  [
    name,
    integerField(named(name))
      .min(0, `The ${named(name)} must be at least 0.`)
      .nullish(),
  ] as const;
const periods = (name: string) =>
  [
    name,
    listField(named(name), rangeField(named(name), 1, HOURS_MAX))
      .max(PERIODS_MAX, `The ${named(name)} may not have more than ${PERIODS_MAX} items.`)
      .refine((hours) => new Set(hours).size === hours.length, `The ${named(name)} has a duplicate value.`)
      .nullish(),
  ] as const;
const message = (name: string, most: number) =>
  [
    name,
    textField(named(name))
      .max(most, `The ${named(name)} may not be greater than ${most} characters.`)
      .nullish(),
  ] as const;

/** The live service refuses other shapes, such as `{type, tag_name}` (automox-mcp, CHANGELOG, seen 2026-06-03). */
const deviceFilter = z.looseObject(
  {
    field: textField(named('device_filters.field')),
    op: textField(named('device_filters.op')),
    value: listField(named('device_filters.value'), z.unknown()),
  },
  `Each of the ${named('device_filters')} must be an object.`,
);

export const policyConfiguration = z.looseObject(
  Object.fromEntries([
    flag('device_filters_enabled'),
    ['device_filters', listField(named('device_filters'), deviceFilter).nullish()] as const,
    flag('auto_patch'),
    flag('auto_reboot'),
    flag('notify_user'),
    flag('notify_reboot_user'),
    flag('notify_deferred_reboot_user'),
    count('custom_notification_max_delays'),
    count('custom_pending_reboot_notification_max_delays'),
    periods('custom_notification_deferment_periods'),
    periods('custom_pending_reboot_notification_deferment_periods'),
    minutes('notify_user_message_timeout'),
    minutes('notify_deferred_reboot_user_message_timeout'),
    ...[
      'custom_notification_patch_message',
      'custom_notification_reboot_message',
      'custom_pending_reboot_notification_message',
    ].flatMap((name) => [message(name, WINDOWS_TEXT), message(`${name}_mac`, MAC_TEXT)]),
  ]),
  {
    error: ({ input }) =>
      input === undefined ? requiredField('configuration') : 'The configuration must be an object.',
  },
);
