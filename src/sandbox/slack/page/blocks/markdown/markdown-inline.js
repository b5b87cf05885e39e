/** Markdown inside a line. */
import { h } from '../../dom/dom.js';
import { renderImageTag } from '../../dom/image.js';
import { withEmoji } from '../../emoji/emoji.js';
import { renderLink } from '../../text/link.js';
import { withSigns } from '../../text/signs.js';

/** Inline patterns by name. None spans lines, so a stray mark stays literal. */
const PIECES = [
  /\\(?<escaped>[\\`*_~[\]()#+\-.!|>])/,
  /`(?<code>[^`\n]+)`/,
  /!\[(?<alt>[^\]\n]{0,500})\]\((?<source>[^)\s]{1,3000})\)/,
  /\[(?<label>[^\]\n]{1,500})\]\((?<address>[^)\s]{1,3000})(?:\s+"[^"\n]*")?\)/,
  /<(?<pointed>https?:\/\/[^\s<>]{1,3000})>/,
  /(?<bare>https?:\/\/[^\s<>)\]]{1,3000}[^\s<>)\].,;:!?'"*_~])/,
  /\*\*(?<bold>[^\n]+?)\*\*(?!\*)/,
  /__(?<bold2>[^_\n]+)__/,
  /~~(?<strike>[^~\n]+)~~/,
  /\*(?<italic>[^\s*](?:[^*\n]*[^\s*])?)\*/,
  /(?<![p{L}p{N}])_(?<italic2>[^_\n]+)_(?![p{L}p{N}])/,
];
const PIECE = new RegExp(PIECES.map(({ source }) => source).join('|'), 'gu');
/** Maximum nesting of styles: hostile text must not exhaust the stack. */
const MAX_DEPTH = 6;

/**
 * @param {string} text
 * @param {number} [depth]
 * @returns {DocumentFragment}
 */
export function renderInlineMarkdown(text, depth = 0) {
  const out = document.createDocumentFragment();
  let end = 0;
  for (const match of depth < MAX_DEPTH ? text.matchAll(PIECE) : []) {
    out.append(withSigns(withEmoji(text.slice(end, match.index))), node(match.groups ?? {}, depth));
    end = match.index + match[0].length;
  }
  out.append(withSigns(withEmoji(text.slice(end))));
  return out;
}

/**
 * @param {Readonly<Record<string, string | undefined>>} found
 * @param {number} depth
 * @returns {Node | string}
 */
function node({ escaped, code, alt, source, label, address, pointed, bare, ...styles }, depth) {
  if (escaped !== undefined) return escaped;
  if (code !== undefined) return h('code', {}, code);
  if (source !== undefined) return renderImageTag({ image_url: source, alt_text: alt ?? '' });
  if (address !== undefined) return renderLink(address, label ?? '');
  const plain = pointed ?? bare;
  if (plain !== undefined) return renderLink(plain, plain);
  const { bold, bold2, strike, italic, italic2 } = styles;
  const inside = (/** @type {string} */ text) => renderInlineMarkdown(text, depth + 1);
  if (strike !== undefined) return h('s', {}, inside(strike));
  const strong = bold ?? bold2;
  return strong === undefined ? h('i', {}, inside(italic ?? italic2 ?? '')) : h('b', {}, inside(strong));
}
