/** Posted where a silence holds everything: until when, who silenced it, why, and how to end it. */
import type { Instant } from '../../clock.ts';
import type { SilenceRecord } from '../../store/alert-records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { person } from '../kit/mentions.ts';
import { message } from '../kit/message.ts';
import { typed } from '../kit/typed.ts';
import { when } from '../kit/when.ts';
import type { RenderedMessage } from '../model.ts';
import type { AlertView } from '../models/alerts-model.ts';
import { andReason, scopeWords } from './alert-words.ts';
import { soundButton } from './subscriptions.ts';

export function renderSilenceOn({
  silence,
  root,
}: Extract<AlertView, { kind: 'silence-on' }>): RenderedMessage {
  const { number, scope, until, createdBy, endedAt } = silence;
  if (endedAt !== null) {
    // Another may hold the same.
    const over = md`${endedWords(silence, endedAt)} Alerts are posted here again, unless another silence holds them.`;
    const what = md`Silenced by ${person(createdBy)}: ${scopeWords(scope)}.${andReason(silence.reason)}`;
    return message({ text: over, body: [section(over), context(what)] });
  }
  const said = md`Alerts are silenced here until ${when(until)} by ${person(createdBy)}: ${scopeWords(scope)}.${andReason(silence.reason)}`;
  return message({
    text: said,
    body: [
      section(said),
      context(
        md`Alerts are held until then; you’ll get a count. To end it now: ${typed(root, `silence off ${number}`)}`,
      ),
    ],
    end: actions(soundButton(silence)),
  });
}

function endedWords({ number, endedBy }: SilenceRecord, at: Instant): Mrkdwn {
  return endedBy === null || endedBy === 'patchbay'
    ? md`Silence ${number} expired ${when(at)}.`
    : md`Silence ${number} was ended by ${person(endedBy)} ${when(at)}.`;
}
