/** One policy: what kind it is, when it runs, and for whom. */
import type { PolicyId } from '../ids.ts';
import { actions, context, section } from './kit/blocks.ts';
import { code, heading, joined, literal, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { groupNames } from './policies.ts';
import { scheduleWords } from './schedule.ts';
import {
  present,
  type StatedFact,
  statedFields,
  statedParts,
  statedPolicyType,
  statedText,
  statedTime,
} from './stated.ts';

type PolicyView = Extract<View, { kind: 'policy' }>;

const GROUPS = 15;

export function renderPolicy(view: PolicyView): RenderedMessage {
  const { policy, asOf } = view;
  return message({
    text: md`Policy ${joined(present(literal(policy.name), statedPolicyType(policy.type)), ': ')}.`,
    body: [section(heading('Policy', policy.name)), ...statedFields(facts(view))],
    end: [
      context(md`Scripts and settings are in the management console. As of ${when(asOf)}.`),
      ...actions(
        runButton({ action: 'events', label: 'Show events', command: 'events', input: eventsOf(policy.id) }),
        runButton({ action: 'policies', label: 'All policies', command: 'policies', input: {} }),
      ),
    ],
  });
}

/** What it did in the last week. */
function eventsOf(policy: PolicyId) {
  return { filters: { policy, user: null, name: null, days: 7 } };
}

function facts(view: PolicyView): readonly StatedFact[] {
  const { policy, groups } = view;
  const { nextRemediation: next, deviceCount, notes } = policy;
  return [
    { label: 'ID and type', value: statedParts(md`#${policy.id}`, statedPolicyType(policy.type)) },
    { label: 'Status', value: statedText(policy.status) },
    { label: 'Schedule', value: scheduleWords(policy.schedule) },
    { label: 'Next run', value: next === null ? null : md`${when(next)} (per the management service)` },
    { label: `Groups (${groups.length})`, value: groupNames(view, GROUPS) },
    {
      label: 'Devices',
      value:
        deviceCount === null
          ? null
          : md`${deviceCount} (per the management service). ${code('compliance policies')} counts the devices that report it.`,
    },
    { label: 'Created', value: statedTime(policy.createTime) },
    { label: 'Notes', value: statedText(notes, SHOWN.sentence) },
  ];
}
