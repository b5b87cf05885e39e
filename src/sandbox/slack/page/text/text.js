/** Text objects of both kinds. */
/** @import { Reader, Text } from '../types.d.ts' */
import { withEmoji } from '../emoji.js';
import { decoded } from './entities.js';
import { mrkdwn } from './mrkdwn.js';
import { withSigns } from './signs.js';

/**
 * What a plain text says: entities decoded (Slack keeps texts escaped), emoji as characters unless switched off.
 * @param {Text | string | null | undefined} text
 */
export function plainText(text) {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return withEmoji(decoded(text));
  return text.emoji === false ? decoded(text.text) : withEmoji(decoded(text.text));
}

/** The same as it is drawn. @param {Text | string | null | undefined} text */
export const plainNode = (text) => withSigns(plainText(text));

/**
 * A text object of either kind.
 * @param {Text | string | null | undefined} text
 * @param {Reader} reader
 * @returns {Node}
 */
export function textNode(text, reader) {
  if (typeof text === 'object' && text?.type === 'mrkdwn') return mrkdwn(text.text, reader);
  return plainNode(text);
}
