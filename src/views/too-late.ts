/** Answer to a click, form or message that was handled too late. */
import { durationText } from '../text.ts';
import { choiceButton, operationButton } from './again.ts';
import { actions, section } from './kit/blocks.ts';
import { type Mrkdwn, md, trusted } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { SIGN } from './kit/signs.ts';
import { typed } from './kit/typed.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { deedTitle } from './words.ts';

type TooLate = Extract<View, { kind: 'too-late' }>;

export function renderTooLate(view: TooLate): RenderedMessage {
  const { command, again: from, maxAgeMs, root } = view;
  const text = notSent(view);
  const again =
    'operation' in from ? operationButton(from.operation) : choiceButton({ command, input: from.input });
  const limit = md`Too late: requested ${when(view.askedAt)}. Changes older than ${trusted(durationText(maxAgeMs))} aren’t sent.`;
  const next = again === null ? md` To request it again, type ${typed(root, command)}.` : md``;
  return message({
    text: md`${text} ${limit}${next}`,
    body: [section(md`${text}\n${limit}${next}`)],
    end: actions(again),
  });
}

function notSent({ command, again, subject, root }: TooLate): Mrkdwn {
  const sign = trusted(SIGN.ended);
  if ('operation' in again) return md`${sign} *Not sent:* ${deedTitle(again.order, again.names)}`;
  return md`${sign} *Not sent:* ${typed(root, subject === null ? command : `${command} ${subject}`)}`;
}
