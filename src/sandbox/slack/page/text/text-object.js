/** Text objects of both types. */
/** @import { ViewerContext, TextObject } from '../types.d.ts' */
import { withEmoji } from '../emoji/emoji.js';
import { decoded } from './entities.js';
import { renderMrkdwn } from './mrkdwn.js';
import { withSigns } from './signs.js';

/**
 * The content of a plain text: entities decoded (Slack keeps texts escaped), emoji as characters unless switched off.
 * @param {TextObject | string | null | undefined} text
 */
export function renderPlainText(text) {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return withEmoji(decoded(text));
  return text.emoji === false ? decoded(text.text) : withEmoji(decoded(text.text));
}

/** The same as a node. @param {TextObject | string | null | undefined} text */
export const plainNode = (text) => withSigns(renderPlainText(text));

/**
 * A text object of either type.
 * @param {TextObject | string | null | undefined} text
 * @param {ViewerContext} reader
 * @returns {Node}
 */
export function renderText(text, reader) {
  if (typeof text === 'object' && text?.type === 'mrkdwn') return renderMrkdwn(text.text, reader);
  return plainNode(text);
}
