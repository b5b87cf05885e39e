/** Private answer to somebody whose command needed no approval. */
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { link, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';
import { deed } from './words.ts';

export function renderStarted(view: Extract<View, { kind: 'started' }>): RenderedMessage {
  const { already = false, by } = view;
  const what = deed(view.command, view.names);
  const whose = by === undefined ? md`Your request to ${what}` : md`The request of ${person(by)} to ${what}`;
  const text = already ? md`${whose} was taken up already.` : md`${whose} was taken up.`;
  // Slack may be slow: then the card is not posted yet, or its link is not known.
  const follow =
    view.link === null
      ? md`Its card may take a moment to appear.`
      : md`${link(view.link, md`Open the card`)} to follow it.`;
  return message({ text, body: [section(md`${text} ${follow}`)] });
}
