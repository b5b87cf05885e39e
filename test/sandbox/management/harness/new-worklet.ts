import { ORGANIZATION_ID } from '../../../../src/sandbox/management/seed/organization.ts';

/** A new policy with the fields that are required, and no others. */
export const NEW_WORKLET = {
  organization_id: ORGANIZATION_ID,
  name: 'Restart spooler',
  policy_type_name: 'custom',
  configuration: { os_family: 'Windows', evaluation_code: 'Exit 1', remediation_code: 'Exit 0' },
  schedule_days: 0,
  schedule_time: '00:00',
};
