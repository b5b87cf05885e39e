/** One card for the same alert of many devices; edited in place while it grows. */

import { actions, context, fields, section } from '../kit/blocks.ts';
import { heading, type Mrkdwn, md, strong, trusted } from '../kit/escape.ts';
import { message } from '../kit/message.ts';
import { runButton } from '../kit/run-button.ts';
import { whenOr } from '../kit/when.ts';
import type { RenderedMessage, View } from '../model.ts';
import { count, policyWords } from '../words.ts';
import { outputHint, reasonWords } from './alert.ts';
import { acknowledgeButton, silencePatchButton, takenOf } from './alert-buttons.ts';
import { ALERT_HEADINGS, alertSubject, alertSubjects, kindCount, patchNames } from './alert-words.ts';

type StormView = Extract<View, { kind: 'storm' }>;

/** Names on a storm's card; the rest are a list behind a button. */
export const STORM_NAMES = 10;

export function renderStorm(view: StormView): RenderedMessage {
  const { first, alerts, devices, shown, taken, channel } = view;
  const isOpen = taken === null || taken.alerts < alerts;
  const title = titleOf(view);
  const why = reasonWords(first);
  const about = first.packages.length === 0 ? [] : [{ label: 'Package', value: patchNames(first) }];
  const policy =
    first.policyId === null
      ? []
      : [{ label: 'Policy', value: policyWords(first.policyId, first.policyName) }];
  const all = runButton({
    action: 'alerts',
    label: `All ${alerts}`,
    command: 'alerts',
    input: { of: 'card', card: first.id, channel },
  });
  const names = md`${alertSubjects(shown, Math.max(devices, 1))}.`;
  return message({
    text: md`${title}${why === null ? md`` : md`: ${why}`}. ${names}`,
    body: [
      section(headingOf(view)),
      ...fields([...about, ...policy, { label: 'So far', value: kindCount(first.kind, alerts) }]),
      ...(why === null ? [] : [section(md`*Reason*\n${why}`)]),
      section(names),
      ...outputHint(first),
      context(
        md`The first happened ${whenOr(first.happenedAt, 'at no stated time')}. More of the same are added here for a while.`,
      ),
      ...takenOf(alerts, taken),
    ],
    end: actions(
      all,
      isOpen ? acknowledgeButton({ ...first, acknowledgedBy: null }) : null,
      silencePatchButton(first),
    ),
  });
}

/** As plain words where several devices, or none, have it. */
function titleOf({ first, alerts, devices }: StormView): Mrkdwn {
  if (devices <= 1) return md`${kindCount(first.kind, alerts)} of one device`;
  return md`${trusted(ALERT_HEADINGS[first.kind])} ${count(devices, 'device')}`;
}

function headingOf(view: StormView): Mrkdwn {
  const { first, alerts, devices } = view;
  if (devices > 1) return strong(titleOf(view));
  return heading(`${alerts} times: ${ALERT_HEADINGS[first.kind]}`, alertSubject(first));
}
