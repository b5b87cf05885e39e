/** What an approver has to know of the consequences before deciding. */

import { isPolicyFacts } from '../../fleet/facts/facts.ts';
import {
  changesRecord,
  type DeviceEdit,
  type FleetAction,
  type FleetEdit,
  isEdit,
  isRemoval,
} from '../../fleet/model/actions.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { countText } from '../text/common-text.ts';
import { targetName } from '../text/target-name.ts';
import { removalWarning } from './removal.ts';

/** A rollout can be stopped, so only what it has sent is final. */
const QUEUE_WARNING = md`*Once approved, it’s re-checked and sent, and can’t be canceled.*`;
const WAVES_WARNING = md`*Once approved, each wave is re-checked and sent. What was sent can’t be canceled.*`;
/** A run by hand shows no notification on the device ("management API in practice" 6). */
const POLICY_RUN = md`Runs the policy and its scripts without notifying anyone at the device.`;

/** What cannot be undone once the request is approved. A command in a queue has no way back, and an offline device runs it at an hour nobody chose. */
export function warningText(action: FleetAction, targets: readonly TargetFacts[]): Mrkdwn {
  if (isEdit(action)) return editWarningText(action, targets);
  if (isRemoval(action)) return removalWarning(action, targets);
  const final = action.kind === 'policy-remediate' ? md`${POLICY_RUN} ${QUEUE_WARNING}` : QUEUE_WARNING;
  const offline = targets.find((target) => target.deviceId !== null && target.connected === false);
  return offline === undefined
    ? final
    : md`${final} It runs as soon as ${targetName(offline)} is back online.`;
}

/** The same for many devices, whose facts are only counted. */
export function finalityWarning(action: FleetAction): Mrkdwn {
  if (changesRecord(action)) return warningText(action, []);
  return action.kind === 'policy-remediate' ? md`${POLICY_RUN} ${WAVES_WARNING}` : WAVES_WARNING;
}

/** An edit shows at once, and what applies to devices follows the record. */
function editWarningText(edit: FleetEdit, targets: readonly TargetFacts[]): Mrkdwn {
  switch (edit.kind) {
    case 'device-edit':
      return deviceEditWarning(edit);
    case 'group-create':
      return md`*Applies as soon as it’s approved.*`;
    case 'group-edit': {
      const [facts] = targets;
      const devices = facts !== undefined && 'group' in facts ? (facts.group?.deviceCount ?? 0) : 0;
      return devices === 0
        ? md`*Applies as soon as it’s approved, also to the group’s devices.*`
        : md`*Applies as soon as it’s approved, also to the group’s ${countText(devices, 'device')}.*`;
    }
    case 'policy-create':
    case 'policy-edit':
      return policyWarning(targets);
  }
}

/** A policy reaches the devices of its groups, now or later. */
function policyWarning([facts]: readonly TargetFacts[]): Mrkdwn {
  const devices = facts !== undefined && isPolicyFacts(facts) ? facts.devices : null;
  return devices === null
    ? md`*Applies as soon as it’s approved, to all devices in the policy’s groups.*`
    : md`*Applies as soon as it’s approved, to ${countText(devices, 'device')} in the policy’s groups.*`;
}

/** Which policies apply follows the group, and may follow anything else but the exclusion from reports. */
function deviceEditWarning({ change }: DeviceEdit): Mrkdwn {
  if (change.groupId !== undefined) {
    return md`*Applies as soon as it’s approved.* From then on, the policies of the new group apply to the device instead of those of the current group.`;
  }
  const isExclusionOnly = Object.keys(change).every((field) => field === 'exception');
  return isExclusionOnly
    ? md`*Applies as soon as it’s approved.*`
    : md`*Applies as soon as it’s approved. Other policies may then apply to the device.*`;
}
