/** The details of one policy: type, schedule, groups, settings and compliance. */
import { FIELD_LABELS, settingText, zoneText } from '../../fleet/facts/edit-changes.ts';
import type { Policy } from '../../fleet/model/policy.ts';
import { POLICY_SETTING_NAMES } from '../../fleet/model/policy.ts';
import type { Instant } from '../../lib/clock.ts';
import { upperFirst } from '../../lib/text.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { boldHeading, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { ReadOnlyReader } from '../models/device-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import type { CommandChoice, PolicyLine } from '../models/report-model.ts';
import { countText } from '../text/common-text.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedParts,
  statedPolicyType,
  statedText,
  statedTime,
} from '../text/stated-facts.ts';
import { editPolicyButton } from './policy-buttons.ts';
import { groupNamesText } from './policy-list.ts';
import { scheduleText } from './policy-schedule.ts';

export type PolicyView = {
  readonly kind: 'policy';
  /** Devices that report the policy, from the device index; null while that is loading. */
  readonly compliance?: {
    readonly devices: number;
    readonly noncompliant: number;
    readonly list: CommandChoice;
  } | null;
  readonly asOf: Instant;
} & PolicyLine &
  ReadOnlyReader;

const MAX_GROUPS = 15;

/**
 * Draws the details. Scripts are not part of the view, because they may contain secrets. Only people who may change
 * policies get the Edit button.
 */
export function renderPolicyDetails(view: PolicyView): RenderedMessage {
  const { policy, asOf } = view;
  return buildMessage({
    text: md`Policy ${joinMrkdwn(present(escapeMrkdwn(policy.name), statedPolicyType(policy.type)), ': ')}.`,
    body: [section(boldHeading('Policy', policy.name)), ...statedFields(policyFacts(view))],
    footer: [
      context(md`As of ${relativeDate(asOf)}.`),
      ...actions(
        runButton({
          action: 'events',
          label: 'Events',
          command: 'events',
          input: { filters: { policy: policy.id, user: null, name: null, days: 7 } },
        }),
        noncompliantButton(view),
        view.lookOnly === undefined ? editPolicyButton(policy.id) : null,
        runButton({ action: 'policies', label: 'All policies', command: 'policies', input: {} }),
      ),
    ],
  });
}

function policyFacts(view: PolicyView): readonly StatedFact[] {
  const { policy, groups } = view;
  const { nextRemediation: next, deviceCount, notes } = policy;
  // Said once where both counts agree.
  const otherCount = deviceCount === view.compliance?.devices ? null : deviceCount;
  return [
    { label: 'ID and type', value: statedParts(md`#${policy.id}`, typeText(policy)) },
    { label: 'Status', value: statedText(policy.status === null ? null : upperFirst(policy.status)) },
    { label: 'Schedule', value: scheduleFact(policy) },
    {
      label: 'Next run',
      value: next === null ? null : md`${relativeDate(next)} (per the management service)`,
    },
    { label: `Groups (${groups.length})`, value: groupNamesText(view, MAX_GROUPS) },
    {
      label: 'Devices',
      value: otherCount === null ? null : md`${otherCount} (per the management service)`,
    },
    { label: 'Not compliant', value: complianceText(view) },
    ...settingFacts(policy),
    { label: 'Created', value: statedTime(policy.createTime) },
    { label: 'Notes', value: statedText(notes, DISPLAY_LIMIT.sentence) },
  ];
}

/** Explains the vendor's word: not everybody knows what a Worklet is. */
function typeText({ type }: Policy): Mrkdwn | null {
  return type === 'custom' ? md`worklet (runs scripts)` : statedPolicyType(type);
}

/** Those that the policy states. */
function settingFacts({ settings }: Policy): readonly StatedFact[] {
  return POLICY_SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    if (value === undefined || value === '') return [];
    const words = settingText(name, value);
    const text = escapeMrkdwn(typeof value === 'string' ? words : upperFirst(words), DISPLAY_LIMIT.sentence);
    return [{ label: upperFirst(FIELD_LABELS[name]), value: text }];
  });
}

/** The documented interface does not say whose clock the schedule follows. */
function scheduleFact({ schedule }: Policy): Mrkdwn | null {
  const words = scheduleText(schedule);
  if (words === null || schedule.time === null || schedule.time === '') return words;
  return schedule.timezone === null
    ? md`${words} (the management service doesn’t state the time zone)`
    : md`${words}, ${escapeMrkdwn(zoneText(schedule.timezone), DISPLAY_LIMIT.label)}`;
}

/** Devices that were never scanned report no policy, so the management service may count more. */
function complianceText({ compliance = null }: PolicyView): Mrkdwn | null {
  return compliance === null
    ? null
    : md`${compliance.noncompliant} of ${countText(compliance.devices, 'device')} that report on this policy`;
}

function noncompliantButton({ compliance = null }: PolicyView): Button | null {
  if (compliance === null || compliance.noncompliant === 0) return null;
  const label = `Show ${compliance.noncompliant} noncompliant`;
  return runButton({ action: 'devices', label, ...compliance.list });
}
