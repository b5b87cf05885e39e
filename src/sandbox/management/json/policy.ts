/** A policy as it stands in `server_policies` of a single device. */
import { ORGANIZATION_ID } from '../seed/organization.ts';
import type { Policy } from '../world/model.ts';

/** Configurations hold scripts on the live service; there is none here. */
export function policyJson(policy: Policy): object {
  return {
    id: policy.id,
    organization_id: ORGANIZATION_ID,
    name: policy.name,
    policy_type_name: policy.type,
    configuration: {},
    notes: '',
    status: 'inactive',
  };
}
