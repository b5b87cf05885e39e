/** One policy: what kind it is, when it runs, and for whom. */
import type { PolicyId } from '../../lib/ids.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { boldHeading, escapeMrkdwn, inlineCode, joinMrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage, View } from '../model.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedParts,
  statedPolicyType,
  statedText,
  statedTime,
} from '../text/stated-facts.ts';
import { groupNamesText } from './policy-list.ts';
import { scheduleText } from './policy-schedule.ts';

type PolicyView = Extract<View, { kind: 'policy' }>;

const MAX_GROUPS = 15;

export function renderPolicyDetails(view: PolicyView): RenderedMessage {
  const { policy, asOf } = view;
  return buildMessage({
    text: md`Policy ${joinMrkdwn(present(escapeMrkdwn(policy.name), statedPolicyType(policy.type)), ': ')}.`,
    body: [section(boldHeading('Policy', policy.name)), ...statedFields(policyFacts(view))],
    footer: [
      context(md`Scripts and settings are in the management console. As of ${relativeDate(asOf)}.`),
      ...actions(
        runButton({
          action: 'events',
          label: 'Show events',
          command: 'events',
          input: policyEventsButton(policy.id),
        }),
        runButton({ action: 'policies', label: 'All policies', command: 'policies', input: {} }),
      ),
    ],
  });
}

/** What it did in the last week. */
function policyEventsButton(policy: PolicyId) {
  return { filters: { policy, user: null, name: null, days: 7 } };
}

function policyFacts(view: PolicyView): readonly StatedFact[] {
  const { policy, groups } = view;
  const { nextRemediation: next, deviceCount, notes } = policy;
  return [
    { label: 'ID and type', value: statedParts(md`#${policy.id}`, statedPolicyType(policy.type)) },
    { label: 'Status', value: statedText(policy.status) },
    { label: 'Schedule', value: scheduleText(policy.schedule) },
    {
      label: 'Next run',
      value: next === null ? null : md`${relativeDate(next)} (per the management service)`,
    },
    { label: `Groups (${groups.length})`, value: groupNamesText(view, MAX_GROUPS) },
    {
      label: 'Devices',
      value:
        deviceCount === null
          ? null
          : md`${deviceCount} (per the management service). ${inlineCode('compliance policies')} counts the devices that report it.`,
    },
    { label: 'Created', value: statedTime(policy.createTime) },
    { label: 'Notes', value: statedText(notes, DISPLAY_LIMIT.sentence) },
  ];
}
