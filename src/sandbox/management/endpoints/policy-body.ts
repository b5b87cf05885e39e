/** The body of a policy request ("in practice" 9), and the policy that it describes. */
import { z } from 'zod';
import type { Instant } from '../../../lib/clock.ts';
import type { PolicyDraft } from '../world/edits/edit-policies.ts';
import {
  booleanField,
  integerField,
  listField,
  nonEmptyTextField,
  oneOfField,
  orDigits,
  rangeField,
  requiredField,
  selectedField,
  textField,
} from './body-fields.ts';
import { enabledFilters, FAMILIES } from './filter-body.ts';
import { policyConfiguration } from './policy-configuration.ts';

/** Bit masks: bit 0 is never used, so every day is 254, every week 62 and every month 8190. */
const DAYS_MAX = 254;
const WEEKS_MAX = 62;
const MONTHS_MAX = 8_190;

/** What each type of policy needs, as refused by the live service (terraform-provider-automox, policy/validators.go, 2026). */
const NEEDED = {
  patch: ['filter_type'],
  custom: ['os_family', 'evaluation_code', 'remediation_code'],
  required_software: ['os_family', 'package_name', 'package_version', 'installation_code'],
} as const;

const present = z.custom((value) => value !== undefined && value !== null);
const advancedRules = z.array(z.object({ left: present, condition: present, right: present })).min(1);

/** What the live service refuses in a configuration (terraform-provider-automox, policy/model.go, state_test.go, 2026). */
function configurationProblem(
  type: keyof typeof NEEDED,
  configuration: Readonly<Record<string, unknown>>,
): string | undefined {
  const missing = NEEDED[type].find((field) => configuration[field] === undefined);
  if (missing !== undefined) return requiredField(`configuration.${missing}`);
  const family = configuration['os_family'];
  if (typeof family === 'string' && type !== 'patch' && !FAMILIES.includes(family))
    return selectedField('configuration.os_family');
  if (configuration['patch_rule'] !== 'advanced') return undefined;
  const rules = configuration['advanced_filter'];
  if (rules === undefined) return requiredField('configuration.advanced_filter');
  return advancedRules.safeParse(rules).success
    ? undefined
    : "All advanced rules must contain a 'left', 'right' and 'condition'";
}

/**
 * Required are the fields of the vendor's published specification ("in practice", SPEC25, PatchPolicy and CustomPolicy),
 * but for notes and groups: the vendor's own scripts create policies without them (AutomoxSecurity/automox-tools,
 * ax_policy_migration.py; AutomoxCommunity/Templates_And_Examples, CreatePrimaryPatchPolicy.ps1), and the page of 2021
 * calls them optional (docs.automox.com/api/policies/update-a-policy).
 */
export const policyBody = z
  .object({
    id: integerField('id').optional(),
    // Text on the vendor's page of 2021 and in its script worklet_warden.py (AutomoxSecurity/automox-tools).
    organization_id: orDigits(integerField('organization_id')),
    name: nonEmptyTextField('name'),
    policy_type_name: oneOfField('policy_type_name', ['patch', 'custom', 'required_software']),
    configuration: policyConfiguration,
    schedule_days: rangeField('schedule_days', 0, DAYS_MAX),
    schedule_weeks_of_month: rangeField('schedule_weeks_of_month', 0, WEEKS_MAX).nullish(),
    schedule_months: rangeField('schedule_months', 0, MONTHS_MAX).nullish(),
    schedule_time: textField('schedule_time').regex(
      /^([01]\d|2[0-3]):[0-5]\d$/,
      'The schedule_time does not match the format H:i.',
    ),
    use_scheduled_timezone: booleanField('use_scheduled_timezone').nullish(),
    scheduled_timezone: textField('scheduled_timezone')
      .regex(/^UTC[+-]\d{4}$/, 'The scheduled_timezone format is invalid.')
      .nullish(),
    notes: textField('notes').default(''),
    server_groups: listField('server_groups', integerField('server_groups')).default([]),
  })
  .superRefine(({ policy_type_name: type, configuration }, context) => {
    const message = configurationProblem(type, configuration);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['configuration'], message });
  })
  .refine(
    ({ use_scheduled_timezone: fixed, scheduled_timezone: zone }) =>
      fixed !== true || typeof zone === 'string',
    { path: ['scheduled_timezone'], error: requiredField('scheduled_timezone') },
  );
export type PolicyBody = z.output<typeof policyBody>;

const withoutGroups = z
  .looseObject({ server_groups: z.null() })
  .transform((policy) => ({ ...policy, server_groups: [] }));
/** A policy without groups is read with null, and may be sent back as it was read. */
export const replacedPolicyBody = z.preprocess(
  (sent) => withoutGroups.safeParse(sent).data ?? sent,
  policyBody,
);

export function policyDraftOf(body: PolicyBody, createTime: Instant): PolicyDraft {
  return {
    name: body.name,
    type: body.policy_type_name,
    notes: body.notes,
    configuration: body.configuration,
    deviceFilters: enabledFilters(body.configuration),
    schedule: {
      days: body.schedule_days,
      weeksOfMonth: body.schedule_weeks_of_month ?? 0,
      months: body.schedule_months ?? 0,
      time: body.schedule_time,
      timezone: body.use_scheduled_timezone === true ? (body.scheduled_timezone ?? null) : null,
    },
    createTime,
  };
}
