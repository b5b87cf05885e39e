import { DAYS, MONTHS, setBits, WEEKDAYS, WEEKS } from '../../fleet/model/policy.ts';
import { type PolicyAction, RUNNABLE_POLICY_TYPES } from '../../fleet/model/policy-status.ts';
import type { Policy } from '../../fleet/model/resources.ts';
import type { DeviceId, PolicyId } from '../../lib/ids.ts';
import { joinWithAnd } from '../../lib/text.ts';
import { actions, type Button, section } from '../kit/blocks.ts';
import { formButton, runButton } from '../kit/buttons.ts';
import {
  bold,
  escapeMrkdwn,
  escapeValue,
  joinMrkdwn,
  type Mrkdwn,
  md,
  trustedMrkdwn,
} from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { type CsvTable, csvList, csvTable, utcTimestamp } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging, PolicyLine } from '../models/list-model.ts';
import { countText, withRest } from '../text/common-text.ts';
import { present, statedPolicyType } from '../text/stated-facts.ts';

export type PolicyListView = {
  readonly kind: 'policies';
  readonly rows: readonly PolicyLine[];
  readonly paging: Paging;
};

export function renderPolicyList({ rows, paging }: PolicyListView): RenderedMessage {
  const total = countText(paging.total, 'policy', 'policies');
  return buildMessage({
    text: md`${total}.`,
    body: [
      section(md`*Policies*`),
      ...(rows.length === 0 ? [section(md`The management service lists no policies.`)] : rows.map(policyRow)),
    ],
    footer: pageButtons(paging, total),
  });
}

function policyRow(line: PolicyLine): Block {
  const { policy } = line;
  const title = [bold(policy.name), md`#${policy.id}`, ...present(statedPolicyType(policy.type))];
  const facts = present(groupNamesText(line, 3), scheduleText(policy.schedule));
  const run = runButton({
    action: `policy:${policy.id}`,
    label: 'Show',
    command: 'policy',
    input: { policy: policy.id },
  });
  return section(md`${joinMrkdwn(title, ' · ')}\n${joinMrkdwn(facts, ' · ')}${nextRunText(policy)}`, run);
}

/** Attributed to the service, because its next run is unreliable ("management API in practice" 9). */
function nextRunText({ nextRemediation }: Policy): Mrkdwn {
  return nextRemediation === null
    ? md``
    : md`\nNext run ${relativeDate(nextRemediation)} (per the management service)`;
}

type Named = { readonly id: number; readonly name: string | null };

export function groupNamesText({ groups }: PolicyLine, max: number): Mrkdwn {
  return groups.length === 0 ? md`no groups` : namesText(groups, max);
}

/** The first `max` by name; the others are counted. */
export function namesText(all: readonly Named[], max: number): Mrkdwn {
  const named = all
    .slice(0, max)
    .map(({ id, name }) =>
      name === null || name === '' ? md`#${id}` : escapeValue(name, DISPLAY_LIMIT.label),
    );
  return withRest(joinMrkdwn(named, ', '), all.length - named.length);
}

export function policiesCsv(view: PolicyListView): CsvTable {
  return csvTable(view.rows, {
    id: ({ policy }) => policy.id,
    policy: ({ policy }) => policy.name,
    type: ({ policy }) => policy.type,
    status: ({ policy }) => policy.status,
    'next run': ({ policy }) => utcTimestamp(policy.nextRemediation),
    groups: ({ groups }) => csvList(groups.map(({ id, name }) => name ?? `#${id}`)),
  });
}

/** Such as `Monday to Friday at 2:00 AM, in the first and third week of the month, in May`; null where no schedule is stated. */
export function scheduleText(schedule: Omit<Policy['schedule'], 'timezone'>): Mrkdwn | null {
  const { days, weeksOfMonth, months, time } = schedule;
  if (days === null && weeksOfMonth === null && months === null) return null;
  if (days === 0) return md`No scheduled days`;
  return md`${daysText(days)}${timeText(time)}${weeksText(weeksOfMonth)}${monthsText(months)}`;
}

function daysText(days: number | null): Mrkdwn {
  if (days === null) return md`On unknown days`;
  if (days === WEEKDAYS) return md`Monday to Friday`;
  const named = setBits(days, DAYS);
  if (named === null) return md`On unrecognized days (${days})`;
  return named.length === DAYS.length ? md`Every day` : trustedMrkdwn(joinWithAnd(named));
}

function timeText(time: string | null): Mrkdwn {
  return time === null || time === ''
    ? md``
    : md` at ${escapeMrkdwn(clockTime(time) ?? time, DISPLAY_LIMIT.label)}`;
}

/** `02:00` as `2:00 AM`; null for text that is not a time of day. */
function clockTime(time: string): string | null {
  const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(time) ?? [];
  if (hours === '') return null;
  const hour = Number(hours);
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

function weeksText(weeks: number | null): Mrkdwn {
  if (weeks === null) return md``;
  const named = setBits(weeks, WEEKS);
  if (named === null) return md`, in unrecognized weeks (${weeks})`;
  if (named.length === 0) return md`, in no week`;
  if (named.length === WEEKS.length) return md``;
  return md`, in the ${trustedMrkdwn(joinWithAnd(named))} week of the month`;
}

function monthsText(months: number | null): Mrkdwn {
  if (months === null) return md``;
  const named = setBits(months, MONTHS);
  if (named === null) return md`, in unrecognized months (${months})`;
  if (named.length === 0) return md`, in no month`;
  return named.length === MONTHS.length ? md`` : md`, in ${trustedMrkdwn(joinWithAnd(named))}`;
}

/** Buttons that show or edit a policy, or run it by hand on one device, for the kinds that allow it (§4.3). */
export function policyButton(policy: PolicyId | string): Button | null {
  return runButton({ action: 'policy', label: 'Policy', command: 'policy', input: { policy } });
}

export function editPolicyButton(policy: PolicyId): Button | null {
  return formButton({ label: 'Edit', command: 'policy-edit', input: { policy } });
}

type RunnablePolicy = {
  readonly id: PolicyId;
  readonly type: string | null;
};

/** Test and Remediate, as far as the type of the policy allows them; empty for policies that run only on their schedule. */
export function policyButtons(policy: RunnablePolicy, device: DeviceId): readonly Block[] {
  return actions(runPolicyButton('test', policy, device), runPolicyButton('remediate', policy, device));
}

function runPolicyButton(
  action: PolicyAction,
  { id, type }: RunnablePolicy,
  device: DeviceId,
): Button | null {
  if (type === null || !RUNNABLE_POLICY_TYPES[action].includes(type)) return null;
  const command = `policy-${action}`;
  const shared = { action: `${command}:${id}`, command, input: { device, policy: id, reason: null } };
  return action === 'test'
    ? runButton({ ...shared, label: 'Test' })
    : runButton({ ...shared, label: 'Remediate', style: 'danger' });
}
