/** An answer was shared from a window, which shows nothing of the channel where it stands now. */
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { channel } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';

export function renderPosted(view: Extract<View, { kind: 'posted' }>): RenderedMessage {
  const words = md`Posted in ${channel(view.channel)} in your name.`;
  return message({ text: words, body: [section(words)] });
}
