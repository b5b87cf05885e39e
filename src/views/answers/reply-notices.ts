/** An answer to a line that began with an alias shows the command that ran. */
import { fallbackText } from '../kit/block-text.ts';
import { context } from '../kit/blocks.ts';
import { inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage, fitsMessage, mapBothForms } from '../kit/message.ts';
import type { RenderedMessage } from '../model.ts';
import type { SettingView } from '../models/settings-model.ts';

/** The answer with a line below it, where there is room for one. */
export function renderAliasExpansion(
  message: RenderedMessage,
  { name, line }: Pick<Extract<SettingView, { kind: 'expanded' }>, 'name' | 'line'>,
): RenderedMessage {
  const note = context(md`Ran ${inlineCode(line, DISPLAY_LIMIT.sentence)} (alias ${inlineCode(name)}).`);
  const both = mapBothForms(message, (blocks) => {
    const more = [...blocks, note];
    return fitsMessage(more) ? more : [...blocks.slice(0, -1), note];
  });
  // The text stands for all blocks that are not given here.
  return { ...both, text: fallbackText(trustedMrkdwn(message.text), [note, note]) };
}

/** Said while the answer takes long. */

const noticeMessage = (words: Mrkdwn): RenderedMessage =>
  buildMessage({ text: words, body: [context(words)] });

/** Where the answer takes its place. */
export const LOOKING_MESSAGE = noticeMessage(md`Looking…`);

/** Where it stays for good, so it must be true beside the answer, too. */
export const DELAY_MESSAGE = noticeMessage(md`This took longer than usual, so the answer comes below.`);
