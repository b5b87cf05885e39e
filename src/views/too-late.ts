/** Answer to somebody whose press, form or message came to be worked off too late. */
import { durationText } from '../text.ts';
import { choiceButton } from './again.ts';
import { actions, section } from './kit/blocks.ts';
import { md, trusted } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { typed } from './kit/typed.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';

export function renderTooLate(view: Extract<View, { kind: 'too-late' }>): RenderedMessage {
  const { command, input, subject, askedAt, maxAgeMs, root } = view;
  const line = typed(root, subject === null ? command : `${command} ${subject}`);
  const text = md`Too late: ${line}, requested ${when(askedAt)}, not sent.`;
  const again = choiceButton({ command, input });
  const limit = md`A change older than ${trusted(durationText(maxAgeMs))} is not sent.`;
  const next = again === null ? md` Type ${typed(root, command)} to request it again.` : md``;
  return message({ text, body: [section(md`${text}\n${limit}${next}`)], end: actions(again) });
}
