/** One policy: what kind it is, when it runs, and for whom. */
import type { PolicyId } from '../ids.ts';
import { actions, context, fields, section } from './kit/blocks.ts';
import { code, heading, literal, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import { when, whenOr } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { groupNames } from './policies.ts';
import { scheduleWords } from './schedule.ts';
import { known, policyType } from './words.ts';

type PolicyView = Extract<View, { kind: 'policy' }>;

const GROUPS = 15;

export function renderPolicy(view: PolicyView): RenderedMessage {
  const { policy, asOf } = view;
  return message({
    text: md`Policy ${literal(policy.name)}: ${policyType(policy.type)}. ${scheduleWords(policy.schedule)}.`,
    body: [section(heading('Policy', policy.name)), ...fields(facts(view))],
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

function facts(view: PolicyView) {
  const { policy, groups } = view;
  const { nextRemediation: next, deviceCount, notes } = policy;
  return [
    { label: 'ID and type', value: md`#${policy.id}, ${policyType(policy.type)}` },
    { label: 'Status', value: known(policy.status) },
    { label: 'Schedule', value: scheduleWords(policy.schedule) },
    { label: 'Next run', value: next === null ? md`Not stated` : md`${when(next)} (per the management service)` },
    { label: `Groups (${groups.length})`, value: groupNames(view, GROUPS) },
    {
      label: 'Devices',
      value:
        deviceCount === null
          ? md`Not stated`
          : md`${deviceCount} (per the management service). ${code('compliance policies')} counts the devices that report it.`,
    },
    { label: 'Created', value: whenOr(policy.createTime, 'Not stated') },
    { label: 'Notes', value: notes === null || notes === '' ? md`None` : literal(notes, SHOWN.sentence) },
  ];
}
