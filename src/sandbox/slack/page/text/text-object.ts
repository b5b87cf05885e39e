/** Text objects of both types. */

import { withEmoji } from '../emoji/emoji.ts';
import type { TextObject, ViewerContext } from '../types.ts';
import { decoded } from './entities.ts';
import { renderMrkdwn } from './mrkdwn.ts';
import { withSigns } from './signs.ts';

/**
 * The content of a plain text: entities decoded (Slack keeps texts escaped), emoji as characters unless switched off.
 */
export function renderPlainText(text: TextObject | string | null | undefined) {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return withEmoji(decoded(text));
  return text.emoji === false ? decoded(text.text) : withEmoji(decoded(text.text));
}

/** The same as a node. */
export const plainNode = (text: TextObject | string | null | undefined) => withSigns(renderPlainText(text));

/** A text object of either type. */
export function renderText(text: TextObject | string | null | undefined, reader: ViewerContext): Node {
  if (typeof text === 'object' && text?.type === 'mrkdwn')
    return renderMrkdwn(text.text, { ...reader, isVerbatim: text.verbatim === true });
  return plainNode(text);
}
