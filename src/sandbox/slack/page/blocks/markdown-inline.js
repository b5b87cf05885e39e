/** What stands inside a line of Markdown. */
import { h } from '../dom.js';
import { withEmoji } from '../emoji.js';
import { link } from '../text/link.js';

/** In order: code, link, bold, strike, italic. None crosses a line, so a stray mark stays what it is. */
const PIECE =
  /`([^`\n]+)`|\[([^\]\n]{1,500})\]\(([^)\s]{1,3000})\)|\*\*([^*\n]+)\*\*|__([^_\n]+)__|~~([^~\n]+)~~|\*([^*\n]+)\*|(?<![\p{L}\p{N}])_([^_\n]+)_(?![\p{L}\p{N}])/gu;

/**
 * @param {string} text
 * @returns {DocumentFragment}
 */
export function markdownInline(text) {
  const out = document.createDocumentFragment();
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    out.append(withEmoji(text.slice(end, match.index)), node(match));
    end = match.index + match[0].length;
  }
  out.append(withEmoji(text.slice(end)));
  return out;
}

/**
 * @param {RegExpExecArray} match
 * @returns {Node}
 */
function node([, code, label, address, bold, bold2, strike, italic, italic2]) {
  if (code !== undefined) return h('code', {}, code);
  if (label !== undefined) return link(address ?? '', label);
  if (strike !== undefined) return h('s', {}, markdownInline(strike));
  const strong = bold ?? bold2;
  if (strong !== undefined) return h('b', {}, markdownInline(strong));
  return h('i', {}, markdownInline(italic ?? italic2 ?? ''));
}
