/** The card of a grouped alert: the same alert of many devices, edited in place as alerts are added. */

import type { ChannelId } from '../../lib/ids.ts';
import type { CardAcknowledgement } from '../../store/port/alert-records.ts';
import type { AlertRecord } from '../../store/port/records.ts';
import { actions, type Button, context, fields, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import {
  acknowledgeButton,
  acknowledgedCountText,
  isRetryable,
  outputHint,
  policyFact,
  reasonBlocks,
  retryButton,
  silencePatchButton,
  TOO_MANY,
} from './alert-card.ts';
import { alertSubjectsText, eventKindCount, eventKindNoun, stormTitle } from './alert-text.ts';

/** A grouped alert: the same alert of many devices, on the card of `first`. */
export type AlertGroupView = {
  readonly kind: 'storm';
  readonly first: AlertRecord;
  readonly channel: ChannelId;
  readonly alerts: number;
  /** Distinct devices. */
  readonly devices: number;
  /** The oldest alerts, as many as the card names. */
  readonly shown: readonly AlertRecord[];
  readonly taken: CardAcknowledgement | null;
};

/** Device names on a grouped card; a button lists the others. */
export const MAX_GROUP_NAMES = 10;

/** Draws the card. A grouped alert of one device is named, not counted. */
export function renderAlertGroup(view: AlertGroupView): RenderedMessage {
  const { first, alerts, devices, shown, taken, channel } = view;
  const isOpen = taken === null || taken.alerts < alerts;
  const title = stormTitle(first, devices);
  const names = alertSubjectsText(shown, Math.max(devices, 1));
  const all = runButton({
    action: 'alerts',
    label: `Show all ${alerts}`,
    command: 'alerts',
    input: { of: 'card', card: first.id, channel },
  });
  return buildMessage({
    text: title,
    body: [
      section(title),
      ...(names === null || devices === 1 ? [] : [section(names)]),
      // The group key holds the error, so that it is the same for all.
      ...reasonBlocks(first, devices > 1 ? md`Error on all of them` : md`Error`),
      ...fields(policyFact(first)),
      ...outputHint(first),
      context(md`${since(view)} ${growing(first)}`),
      ...(isRetryable(first) && devices > 0 && retryAllButton(view) === null ? [context(TOO_MANY)] : []),
      ...acknowledgedCountText(alerts, taken),
    ],
    footer: actions(
      all,
      retryAllButton(view),
      isOpen ? acknowledgeButton({ ...first, acknowledgedBy: null }) : null,
      silencePatchButton(first),
    ),
  });
}

/** Opens the form with all devices of the card as they are then, also those that it does not name. */
function retryAllButton({ first, channel, devices }: AlertGroupView): Button | null {
  const label = devices > 1 ? `Retry (${devices})` : 'Retry';
  return devices === 0 ? null : retryButton(first, { alerts: { card: first.id, channel } }, label);
}

function since({ first, alerts, devices }: AlertGroupView): Mrkdwn {
  const { kind, happenedAt } = first;
  if (happenedAt === null) return md`${eventKindCount(kind, alerts)}.`;
  // The title already has this number.
  return devices > 1 && alerts === devices
    ? md`First ${eventKindNoun(kind)} ${relativeDate(happenedAt)}.`
    : md`${eventKindCount(kind, alerts)} since ${relativeDate(happenedAt)}.`;
}

function growing({ kind, packages }: AlertGroupView['first']): Mrkdwn {
  return md`Further ${matching(kind, packages.length)} are added to this message for 15 minutes after the first.`;
}

/** What the group key compares. */
function matching(kind: AlertRecord['kind'], packages: number): Mrkdwn {
  switch (kind) {
    case 'patch-failed':
      return packages === 1
        ? md`failures of the same patch with the same error`
        : md`failures of the same patches with the same error`;
    case 'policy-failed':
      return md`failures of the same policy with the same exit code`;
    default:
      return md`alerts like this one`;
  }
}
