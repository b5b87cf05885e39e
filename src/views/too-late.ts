/** Answer to somebody whose press, form or message came to be worked off too late. */
import { durationText } from '../text.ts';
import { choiceButton, operationButton } from './again.ts';
import { actions, section } from './kit/blocks.ts';
import { type Mrkdwn, md, trusted } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { typed } from './kit/typed.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { deed } from './words.ts';

type TooLate = Extract<View, { kind: 'too-late' }>;

export function renderTooLate(view: TooLate): RenderedMessage {
  const { command, again: from, maxAgeMs, root } = view;
  const text = whatIsLate(view);
  const again =
    'operation' in from ? operationButton(from.operation) : choiceButton({ command, input: from.input });
  const limit = md`A change older than ${trusted(durationText(maxAgeMs))} is not sent.`;
  const next = again === null ? md` Type ${typed(root, command)} to request it again.` : md``;
  return message({ text, body: [section(md`${text}\n${limit}${next}`)], end: actions(again) });
}

function whatIsLate({ command, again, subject, askedAt, root }: TooLate): Mrkdwn {
  if ('operation' in again) {
    return md`Too late: the request to ${deed(again.order, again.names)}, made again ${when(askedAt)}, was not sent.`;
  }
  const line = typed(root, subject === null ? command : `${command} ${subject}`);
  return md`Too late: ${line}, requested ${when(askedAt)}, not sent.`;
}
