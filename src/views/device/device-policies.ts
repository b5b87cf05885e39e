/** The page of a device's policies: compliance, state and next run of each. */

import type { Policy } from '../../fleet/model/policy.ts';
import { policyName, policyStatusOf } from '../../fleet/model/policy-status.ts';
import type { Device, DevicePolicyStatus } from '../../fleet/model/resources.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { policyButtons } from '../fleet/policy-buttons.ts';
import { scheduleText } from '../fleet/policy-schedule.ts';
import { context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { bold, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import { countText, policyStatusText } from '../text/common-text.ts';
import { present, statedPolicyType } from '../text/stated-facts.ts';
import { policyStatusNote } from './device-card.ts';
import type { PageContent } from './page-content.ts';

/** Policies listed in one message. */
const MAX_ROWS = 30;
/** More rows of buttons would push policies off the message. */
const MAX_RUN_BUTTONS = 8;

/** The content of the page. `mayRun`: whether policies get buttons that run them. */
export function policiesPage(device: Device, mayRun: boolean): PageContent {
  const ids = policyIdsOf(device);
  const failing = device.policyCompliance.filter(({ compliant }) => compliant === false).length;
  const known = device.policyCompliance.filter(({ compliant }) => compliant !== null).length;
  const unknown = known < ids.length ? md`, ${ids.length - known} unknown` : md``;
  const all = countText(ids.length, 'policy', 'policies');
  const sum = ids.length === 0 ? md`No policies` : md`${all}, ${failing} not compliant${unknown}`;
  return {
    summary: md`${sum}${overallText(device)}`,
    isSaid: true,
    body: [
      ...policyRows(device, ids.slice(0, MAX_ROWS), mayRun ? MAX_RUN_BUTTONS : 0),
      ...(ids.length > MAX_ROWS ? [context(md`${ids.length - MAX_ROWS} more policies not shown.`)] : []),
    ],
  };
}

/** The IDs in any of the record's lists, because the lists may differ by a row or two (§2.5). */
function policyIdsOf({ policyStatuses, policyCompliance, policies: own }: Device): readonly PolicyId[] {
  const stated = policyStatuses.map(({ policyId }) => policyId).filter((id) => id !== null);
  return [
    ...new Set([...stated, ...policyCompliance.map(({ policyId }) => policyId), ...own.map(({ id }) => id)]),
  ];
}

function overallText(device: Device): Mrkdwn {
  const { compliant, exception } = device;
  const notes = [
    compliant === null ? null : compliant ? md`device compliant` : md`device not compliant`,
    exception === true ? md`excluded from reports and statistics` : null,
    policyStatusNote(device),
  ].filter((note) => note !== null);
  return notes.length === 0 ? md`` : md`; ${joinMrkdwn(notes, ', ')}`;
}

/** Rows of policies; the first `most` that can be run by hand get buttons. */
function policyRows(device: Device, ids: readonly PolicyId[], most: number): readonly Block[] {
  let room = most;
  return ids.flatMap((id) => {
    const policy = { id, name: policyName(device, id), type: typeOf(device, id) };
    const buttons = room === 0 ? [] : policyButtons(policy, device.id);
    if (buttons.length > 0) room -= 1;
    return [policyRow(device, id), ...buttons];
  });
}

function typeOf(device: Device, id: PolicyId): string | null {
  const policy = device.policies.find((one) => one.id === id);
  return policy?.type ?? policyStatusOf(device, id)?.policyType ?? null;
}

function policyRow(device: Device, id: PolicyId): Block {
  const entry = policyStatusOf(device, id);
  const policy = device.policies.find((one) => one.id === id);
  const name = policyName(device, id);
  const named = name === null ? [md`*#${id}*`] : [bold(name), md`#${id}`];
  const title = joinMrkdwn([...named, ...present(statedPolicyType(typeOf(device, id)))], ' · ');
  const show = runButton({ action: `policy:${id}`, label: 'Show', command: 'policy', input: { policy: id } });
  return section(md`${title}\n${policyStateText(device, id, entry)}${nextRunText(policy, entry)}`, show);
}

function policyStateText(device: Device, id: PolicyId, entry: DevicePolicyStatus | null): Mrkdwn {
  const isCompliant = device.policyCompliance.find(({ policyId }) => policyId === id)?.compliant ?? null;
  const complies = isCompliant === null ? null : isCompliant ? md`compliant` : md`*not compliant*`;
  const status = entry === null || entry.status === null ? null : policyStatusText(entry.status);
  const patches =
    entry === null || entry.pendingCount === null || entry.pendingCount === 0
      ? null
      : md`${entry.pendingCount} pending`;
  const reboot = entry?.willReboot === true ? md`will reboot` : null;
  const asOf =
    entry === null || entry.createTime === null ? null : md`as of ${relativeDate(entry.createTime)}`;
  const result =
    entry === null || entry.result === null || entry.result === '' || entry.result === '{}'
      ? null
      : escapeMrkdwn(entry.result, DISPLAY_LIMIT.sentence / 4);
  const parts = [complies, status, patches, reboot, result, asOf].filter((part) => part !== null);
  return parts.length === 0 ? md`Not evaluated yet` : joinMrkdwn(parts, ' · ');
}

/** Schedule and next run. The latter is attributed to the service, because it is unreliable ("management API in practice" 9). */
function nextRunText(policy: Policy | undefined, entry: DevicePolicyStatus | null): Mrkdwn {
  const run = entry?.nextRemediation ?? policy?.nextRemediation ?? null;
  const parts = [
    policy === undefined ? null : scheduleText(policy.schedule),
    run === null ? null : md`next run ${relativeDate(run)} (per the management service)`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`` : md`\n${joinMrkdwn(parts, ' · ')}`;
}
