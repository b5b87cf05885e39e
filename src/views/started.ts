/** Private answer to somebody whose command needed no approval. */
import { section } from './blocks.ts';
import { md } from './escape.ts';
import { link } from './mentions.ts';
import { message } from './message.ts';
import type { RenderedMessage, View } from './model.ts';
import { deed } from './words.ts';

export function renderStarted(view: Extract<View, { kind: 'started' }>): RenderedMessage {
  const text = md`Your request to ${deed(view.command, [view.deviceName])} was taken up.`;
  const card = view.link === null ? md`` : md` ${link(view.link, md`Open the card`)}.`;
  return message({ text, body: [section(md`${text} Its card shows what becomes of it.${card}`)] });
}
