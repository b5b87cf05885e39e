/** How a device stands with each of its policies, and when they run. */
import type { DevicePolicyStatus } from '../../fleet/device-parts.ts';
import { type Device, displayName } from '../../fleet/model.ts';
import type { Policy } from '../../fleet/policy.ts';
import { policyName, standing } from '../../fleet/standing.ts';
import type { PolicyId } from '../../ids.ts';
import { context, section } from '../kit/blocks.ts';
import { joined, literal, type Mrkdwn, md, strong } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { runButton } from '../kit/run-button.ts';
import { when } from '../kit/when.ts';
import type { Block } from '../model.ts';
import { policyButtons } from '../policy-buttons.ts';
import { scheduleWords } from '../schedule.ts';
import { present, statedPolicyType } from '../stated.ts';
import { count, standingWords } from '../words.ts';
import type { PageContent } from './device-pages.ts';

/** As many as fit on a message. */
const MOST = 30;
/** More rows of buttons would push policies off the message. */
const MOST_RUN = 8;

/** With buttons that run policies, for a reader who may. */
export function policies(device: Device, mayRun: boolean): PageContent {
  const ids = idsOf(device);
  const failing = device.policyCompliance.filter(({ compliant }) => compliant === false).length;
  const all = count(ids.length, 'policy', 'policies');
  const sum = ids.length === 0 ? md`No policies` : md`${all}, ${failing} not compliant`;
  return {
    sum: md`${sum}${overall(device)}`,
    isSaid: true,
    body: [
      ...rows(device, ids.slice(0, MOST), mayRun ? MOST_RUN : 0),
      ...(ids.length > MOST ? [context(md`${ids.length - MOST} more policies not shown.`)] : []),
    ],
  };
}

/** The lists of a record may differ by a row or two (§2.5): what any of them has is shown. */
function idsOf({ policyStatuses, policyCompliance, policies: own }: Device): readonly PolicyId[] {
  const stated = policyStatuses.map(({ policyId }) => policyId).filter((id) => id !== null);
  return [
    ...new Set([...stated, ...policyCompliance.map(({ policyId }) => policyId), ...own.map(({ id }) => id)]),
  ];
}

function overall({ compliant, exception, policyStatus }: Device): Mrkdwn {
  const notes = [
    compliant === null ? null : compliant ? md`device compliant` : md`device not compliant`,
    exception === true ? md`excluded from reports and statistics` : null,
    compliant === false || policyStatus === null || policyStatus === ''
      ? null
      : md`policy status: ${literal(policyStatus, SHOWN.label)}`,
  ].filter((note) => note !== null);
  return notes.length === 0 ? md`` : md`; ${joined(notes, ', ')}`;
}

/** Those that can be run by hand have buttons for it, as many of them as there is room for. */
function rows(device: Device, ids: readonly PolicyId[], most: number): readonly Block[] {
  let room = most;
  return ids.flatMap((id) => {
    const policy = { id, name: policyName(device, id), type: typeOf(device, id) };
    const buttons = room === 0 ? [] : policyButtons(policy, device.id, displayName(device));
    if (buttons.length > 0) room -= 1;
    return [row(device, id), ...buttons];
  });
}

function typeOf(device: Device, id: PolicyId): string | null {
  const policy = device.policies.find((one) => one.id === id);
  return policy?.type ?? standing(device, id)?.policyType ?? null;
}

function row(device: Device, id: PolicyId): Block {
  const entry = standing(device, id);
  const policy = device.policies.find((one) => one.id === id);
  const name = policyName(device, id);
  const named = name === null ? [md`*#${id}*`] : [strong(name), md`#${id}`];
  const title = joined([...named, ...present(statedPolicyType(typeOf(device, id)))], ' · ');
  const show = runButton({ action: `policy:${id}`, label: 'Show', command: 'policy', input: { policy: id } });
  return section(md`${title}\n${state(device, id, entry)}${next(policy, entry)}`, show);
}

function state(device: Device, id: PolicyId, entry: DevicePolicyStatus | null): Mrkdwn {
  const said = device.policyCompliance.find(({ policyId }) => policyId === id)?.compliant ?? null;
  const complies = said === null ? null : said ? md`compliant` : md`*not compliant*`;
  const status = entry === null || entry.status === null ? null : standingWords(entry.status);
  const patches =
    entry === null || entry.pendingCount === null || entry.pendingCount === 0
      ? null
      : md`${entry.pendingCount} pending`;
  const reboot = entry?.willReboot === true ? md`will reboot` : null;
  const asOf = entry === null || entry.createTime === null ? null : md`as of ${when(entry.createTime)}`;
  const result =
    entry === null || entry.result === null || entry.result === '' || entry.result === '{}'
      ? null
      : literal(entry.result, SHOWN.sentence / 4);
  const parts = [complies, status, patches, reboot, result, asOf].filter((part) => part !== null);
  return parts.length === 0 ? md`Not evaluated yet` : joined(parts, ' · ');
}

/** The service's word for the next run is unreliable ("management API in practice" 9), so it is told as its word. */
function next(policy: Policy | undefined, entry: DevicePolicyStatus | null): Mrkdwn {
  const run = entry?.nextRemediation ?? policy?.nextRemediation ?? null;
  const parts = [
    policy === undefined ? null : scheduleWords(policy.schedule),
    run === null ? null : md`next run ${when(run)} (per the management service)`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? md`` : md`\n${joined(parts, ' · ')}`;
}
