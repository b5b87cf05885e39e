/** `GET /policystats` (live only; "in practice" 9): how many devices comply with each policy. It has no pages. */

import { policyStatusOn, type WorldPolicyStatus } from '../world/devices.ts';
import { devicesUnder } from './policies.ts';
import type { EndpointContext } from './requests.ts';

export function listPolicyStats({ world, clock }: EndpointContext): Response {
  const { state } = world();
  const now = clock.now();
  const rows = [...state.policies.values()].map((policy) => {
    const statuses = devicesUnder(state, policy).map((device) => policyStatusOn(device, policy, now));
    const count = (status: WorldPolicyStatus) => statuses.filter((one) => one === status).length;
    return {
      organization_id: state.organizationId,
      policy_id: policy.id,
      policy_name: policy.name,
      policy_type_name: policy.type,
      compliant: count(1),
      noncompliant: count(0),
      pending: count(2),
    };
  });
  return Response.json(rows);
}
