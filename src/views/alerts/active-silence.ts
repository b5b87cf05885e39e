/** Posted where a silence holds everything: until when, who silenced it, why, and how to end it. */
import type { Instant } from '../../lib/clock.ts';
import type { SilenceRecord } from '../../store/port/alert-records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage } from '../model.ts';
import type { AlertView } from '../models/alerts-model.ts';
import { andReason, silenceScopeText } from './alert-text.ts';
import { endSilenceButton } from './subscription-list.ts';

export function renderActiveSilence({
  silence,
  root,
}: Extract<AlertView, { kind: 'silence-on' }>): RenderedMessage {
  const { number, scope, until, createdBy, endedAt } = silence;
  if (endedAt !== null) {
    // Another may hold the same.
    const over = md`${endedText(silence, endedAt)} Alerts are posted here again, unless another silence holds them.`;
    const what = md`Silenced by ${mentionPerson(createdBy)}: ${silenceScopeText(scope)}.${andReason(silence.reason)}`;
    return buildMessage({ text: over, body: [section(over), context(what)] });
  }
  const sentence = md`Alerts are silenced here until ${relativeDate(until)} by ${mentionPerson(createdBy)}: ${silenceScopeText(scope)}.${andReason(silence.reason)}`;
  return buildMessage({
    text: sentence,
    body: [
      section(sentence),
      context(
        md`Alerts are held until then; you’ll get a count. To end it now: ${typedCommand(root, `silence off ${number}`)}`,
      ),
    ],
    footer: actions(endSilenceButton(silence)),
  });
}

function endedText({ number, endedBy }: SilenceRecord, at: Instant): Mrkdwn {
  return endedBy === null || endedBy === 'patchbay'
    ? md`Silence ${number} expired ${relativeDate(at)}.`
    : md`Silence ${number} was ended by ${mentionPerson(endedBy)} ${relativeDate(at)}.`;
}
