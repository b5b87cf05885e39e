/** What the body of a policy says ("in practice" 9), and the policy that it describes. */
import { z } from 'zod';
import type { Instant } from '../../../clock.ts';
import type { PolicyDraft } from '../world/edits/policies.ts';
import { between, list, oneOf, required, text, whole, wording } from './body-fields.ts';

/** Bit masks: bit 0 is never used, so every day is 254, every week 62 and every month 8190. */
const DAYS_MAX = 254;
const WEEKS_MAX = 62;
const MONTHS_MAX = 8_190;

/** The shape of the configuration depends on the type and is kept as it came. */
const configuration = z.record(z.string(), z.unknown(), {
  error: ({ input }) =>
    input === undefined ? required('configuration') : 'The configuration must be an object.',
});

/** Assumption (§4.10): a schedule that is left out never runs by itself. */
export const policyBody = z
  .object({
    id: whole('id').optional(),
    organization_id: whole('organization_id').optional(),
    name: wording('name'),
    policy_type_name: oneOf('policy_type_name', ['patch', 'custom', 'required_software']),
    configuration,
    schedule_days: between('schedule_days', 0, DAYS_MAX).nullish(),
    schedule_weeks_of_month: between('schedule_weeks_of_month', 0, WEEKS_MAX).nullish(),
    schedule_months: between('schedule_months', 0, MONTHS_MAX).nullish(),
    schedule_time: text('schedule_time')
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'The schedule_time does not match the format H:i.')
      .nullish(),
    notes: text('notes').nullish(),
    server_groups: list('server_groups', whole('server_groups')).nullish(),
  })
  .refine((body) => body.policy_type_name !== 'patch' || body.configuration['filter_type'] !== undefined, {
    path: ['configuration'],
    error: required('configuration.filter_type'),
  });
export type PolicyBody = z.output<typeof policyBody>;

export function draftOf(body: PolicyBody, createTime: Instant): PolicyDraft {
  return {
    name: body.name,
    type: body.policy_type_name,
    notes: body.notes ?? '',
    configuration: body.configuration,
    schedule: {
      days: body.schedule_days ?? 0,
      weeksOfMonth: body.schedule_weeks_of_month ?? 0,
      months: body.schedule_months ?? 0,
      time: body.schedule_time ?? '00:00',
    },
    createTime,
  };
}
