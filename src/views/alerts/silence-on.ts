/** Said where a silence keeps everything: who wanted it, for how long, why, and how it is ended. */
import type { SilenceRecord } from '../../store/alert-records.ts';
import { reason } from '../approval.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { type Mrkdwn, md } from '../kit/escape.ts';
import { person } from '../kit/mentions.ts';
import { message } from '../kit/message.ts';
import { typed } from '../kit/typed.ts';
import { when } from '../kit/when.ts';
import type { RenderedMessage } from '../model.ts';
import type { AlertView } from '../models/alerts-model.ts';
import { scopeWords } from './alert-words.ts';
import { soundButton } from './subscriptions.ts';

export function renderSilenceOn({
  silence,
  root,
}: Extract<AlertView, { kind: 'silence-on' }>): RenderedMessage {
  const { number, scope, until, createdBy, endedAt } = silence;
  if (endedAt !== null) {
    // Another may keep the same.
    const over = md`Silence ${number} (${scopeWords(scope)}) was ended ${by(silence)} ${when(endedAt)}: alerts come here again, unless another silence keeps them.`;
    return message({ text: over, body: [section(over)] });
  }
  const said = md`No alerts come here until ${when(until)}: ${person(createdBy)} silenced ${scopeWords(scope)}.`;
  return message({
    text: said,
    body: [
      section(said),
      context(
        md`They are kept, and counted here when it is over. ${typed(root, `silence off ${number}`)} ends it before. ${reason(silence.reason)}`,
      ),
    ],
    end: actions(soundButton(silence)),
  });
}

function by({ endedBy }: SilenceRecord): Mrkdwn {
  return endedBy === null || endedBy === 'patchbay' ? md`when its time was over,` : md`by ${person(endedBy)}`;
}
