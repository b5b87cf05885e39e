/** A list went as a file to the one who asked. */
import { section } from './kit/blocks.ts';
import { code, type Mrkdwn, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { whyAnew } from './kit/pager.ts';
import type { RenderedMessage, View } from './model.ts';
import { count } from './words.ts';

export function renderExported(view: Extract<View, { kind: 'exported' }>): RenderedMessage {
  const { name, rows, left, anew } = view;
  const cut: Mrkdwn =
    left === 0 ? md`` : md` ${count(left, 'more row')} didn’t fit. Narrow the list to get them.`;
  const note: Mrkdwn = anew === undefined ? md`` : md` ${whyAnew(anew)}`;
  const words = md`Sent you ${code(name)} with ${count(rows, 'row')} in a direct message.${cut}${note}`;
  return message({ text: words, body: [section(words)] });
}
