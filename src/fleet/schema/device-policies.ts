/** How a device stands with its policies (§2.4, §2.5) as it is sent. */
import { policyId } from '../../ids.ts';
import type { DevicePolicyStatus, PolicyCompliance } from '../device-parts.ts';
import { flag, number, type Raw, reference, text, time } from './fields.ts';

/** An entry of `policy_status`; an odd one is kept as far as it can be read. */
export function readPolicyStatus(raw: Raw): DevicePolicyStatus {
  return {
    policyId: reference(raw['policy_id'], policyId),
    policyName: text(raw['policy_name']),
    policyType: text(raw['policy_type_name']),
    status: number(raw['status']),
    result: text(raw['result']),
    createTime: time(raw['create_time']),
    nextRemediation: time(raw['next_remediation']),
    willReboot: flag(raw['will_reboot']),
    pendingCount: number(raw['pending_count']),
  };
}

/** An entry of `status.policy_statuses`; null where it names no policy. */
export function readCompliance(raw: Raw): PolicyCompliance | null {
  const id = reference(raw['id'], policyId);
  return id === null ? null : { policyId: id, compliant: flag(raw['compliant']) };
}
