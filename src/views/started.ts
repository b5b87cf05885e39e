/** Private answer to somebody whose command needed no approval. */
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { link, person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';
import { requestFor } from './words.ts';

export function renderStarted(view: Extract<View, { kind: 'started' }>): RenderedMessage {
  const { already = false, by } = view;
  const what = requestFor(view.command, view.names);
  const whose = by === undefined ? md`` : md` by ${person(by)}`;
  const text = already ? md`${what} was already requested${whose}.` : md`${what} requested${whose}.`;
  // Slack may be slow: then the card is not posted yet, or its link is not known.
  const follow =
    view.link === null
      ? md`Follow it on the card, which may take a moment to appear.`
      : md`Follow it on the card. ${link(view.link, md`Open the card`)}`;
  return message({ text: md`${text} ${follow}`, body: [section(md`${text} ${follow}`)] });
}
