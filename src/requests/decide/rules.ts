/** Which actions need an approver: pure. */
import { isPolicyFacts, type TargetFacts } from '../../fleet/facts/facts.ts';
import { editedFields, type FleetAction } from '../../fleet/model/actions.ts';
import { MINUTE } from '../../lib/clock.ts';
import { LOOKING_KINDS } from '../../rules/rules.ts';

/** What expires within so long of the first of its requester is one message with it. */
export const EXPIRED_TOGETHER_MS = 5 * MINUTE;
/** At least as many as one person may have waiting. */
export const MAX_EXPIRED_TOGETHER = 500;

/**
 * Whether somebody else has to agree first. A scan and the test of a policy only look at the device; the others
 * change or interrupt it, and a remediation runs whatever the policy's script says. An edit may change which policies
 * apply, by the group or the tags that other tools go by, or hide the device from reports; only a name that people see
 * changes nothing. A removal cannot be undone.
 */
export function needsApproval(action: FleetAction): boolean {
  if (action.kind === 'device-edit') return editedFields(action).some((field) => field !== 'customName');
  return !LOOKING_KINDS.has(action.kind);
}

/** How many devices each target reaches, as its card says; none, or an unknown number, counts as one. */
export function reachOf([first]: readonly TargetFacts[]): number {
  if (first === undefined || first.deviceId !== null) return 1;
  if (isPolicyFacts(first)) return Math.max(first.devices ?? 1, 1);
  return Math.max(first.removal?.devices.count ?? first.group?.deviceCount ?? 1, 1);
}
