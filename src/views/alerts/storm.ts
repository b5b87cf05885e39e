/** One card for the same alert of many devices; edited in place while it grows. */

import { actions, context, fields, section } from '../kit/blocks.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { message } from '../kit/message.ts';
import { runButton } from '../kit/run-button.ts';
import { when } from '../kit/when.ts';
import type { RenderedMessage, View } from '../model.ts';
import { outputHint, policyFact, reasonBlocks } from './alert.ts';
import { acknowledgeButton, silencePatchButton, takenOf } from './alert-buttons.ts';
import { alertSubjects, alertsTitle, alertTitle, kindCount, kindTitle } from './alert-words.ts';

type StormView = Extract<View, { kind: 'storm' }>;

/** Names on a grouped card; the rest are a list behind a button. */
export const STORM_NAMES = 10;

export function renderStorm(view: StormView): RenderedMessage {
  const { first, alerts, devices, shown, taken, channel } = view;
  const isOpen = taken === null || taken.alerts < alerts;
  const title = titleOf(view);
  const names = alertSubjects(shown, Math.max(devices, 1));
  const all = runButton({
    action: 'alerts',
    label: `Show all ${alerts}`,
    command: 'alerts',
    input: { of: 'card', card: first.id, channel },
  });
  return message({
    text: title,
    body: [
      section(title),
      ...(names === null || devices === 1 ? [] : [section(names)]),
      ...reasonBlocks(first),
      ...fields(policyFact(first)),
      ...outputHint(first),
      context(md`${since(view)} ${growing(first.kind)}`),
      ...takenOf(alerts, taken),
    ],
    end: actions(
      all,
      isOpen ? acknowledgeButton({ ...first, acknowledgedBy: null }) : null,
      silencePatchButton(first),
    ),
  });
}

/** Devices by number where they are several; the name of the only one; users have only the list below. */
function titleOf({ first, devices }: StormView): Mrkdwn {
  if (devices > 1) return alertsTitle(first, devices);
  return devices === 1 ? alertTitle(first) : kindTitle(first.kind);
}

function since({ first, alerts }: StormView): Mrkdwn {
  const { kind, happenedAt } = first;
  return happenedAt === null
    ? md`${kindCount(kind, alerts)}.`
    : md`${kindCount(kind, alerts)} since ${when(happenedAt)}.`;
}

function growing(kind: StormView['first']['kind']): Mrkdwn {
  return kind === 'patch-failed' || kind === 'policy-failed'
    ? md`Matching failures of the next 15 minutes are added to this card.`
    : md`Matching alerts of the next 15 minutes are added to this card.`;
}
