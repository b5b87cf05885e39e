/** Private answer to somebody whose command needed no approval. */
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { link } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';
import { deed } from './words.ts';

export function renderStarted(view: Extract<View, { kind: 'started' }>): RenderedMessage {
  const text = md`Your request to ${deed(view.command, [view.deviceName])} was taken up.`;
  const card = view.link === null ? md`` : md` ${link(view.link, md`Open the card`)}.`;
  return message({ text, body: [section(md`${text} Its card shows what becomes of it.${card}`)] });
}
