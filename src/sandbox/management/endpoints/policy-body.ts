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
  rangeField,
  requiredField,
  textField,
} from './body-fields.ts';
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

/** Required are the fields of the vendor's published specification ("in practice", SPEC25, PatchPolicy and CustomPolicy). */
export const policyBody = z
  .object({
    id: integerField('id').optional(),
    organization_id: integerField('organization_id'),
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
    notes: textField('notes'),
    server_groups: listField('server_groups', integerField('server_groups')),
  })
  .superRefine(({ policy_type_name: type, configuration }, context) => {
    const missing = NEEDED[type].find((field) => configuration[field] === undefined);
    if (missing !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['configuration'],
        message: requiredField(`configuration.${missing}`),
      });
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
