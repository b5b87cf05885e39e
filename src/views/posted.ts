/** Confirms that an answer was shared from a window, which does not show the channel. */
import { section } from './kit/blocks.ts';
import { md } from './kit/escape.ts';
import { channel } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import type { RenderedMessage, View } from './model.ts';

export function renderPosted(view: Extract<View, { kind: 'posted' }>): RenderedMessage {
  const words = md`Posted in ${channel(view.channel)} in your name.`;
  return message({ text: words, body: [section(words)] });
}
