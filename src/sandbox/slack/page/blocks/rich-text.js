/** Rich text: what people's own messages are made of, and some of the bot's. */
/** @import { Block, Reader, RichPart, RichStyle } from '../types.d.ts' */
import { formatDate } from '../dates.js';
import { h } from '../dom.js';
import { emojiCharacter } from '../emoji.js';
import { link, mention } from '../text/link.js';
import { undrawable } from '../undrawable.js';

/**
 * @param {Block} block
 * @param {Reader} reader
 */
export function richText(block, reader) {
  // A rich text holds parts; the other kinds of blocks hold elements.
  const parts = /** @type {readonly RichPart[]} */ (block.elements ?? []);
  return h('div', { class: 'rich-text' }, ...parts.map((part) => richPart(part, reader)));
}

/**
 * @param {RichPart} part
 * @param {Reader} reader
 * @returns {HTMLElement}
 */
export function richPart(part, reader) {
  const inside = () => (part.elements ?? []).map((each) => richInline(each, reader));
  switch (part.type) {
    case 'rich_text_section':
      return h('div', { class: 'lines' }, ...inside());
    case 'rich_text_quote':
      return h('blockquote', {}, ...inside());
    case 'rich_text_preformatted':
      return h('pre', {}, ...inside());
    case 'rich_text_list':
      return list(part, reader);
    default:
      return undrawable('element', part);
  }
}

/**
 * @param {RichPart} part
 * @param {Reader} reader
 */
function list(part, reader) {
  const items = (part.elements ?? []).map((each) => h('li', {}, richPart(each, reader)));
  const attributes = { class: `rich-list indent-${Math.min(Math.max(part.indent ?? 0, 0), 8)}` };
  if (part.style !== 'ordered') return h('ul', attributes, ...items);
  return h('ol', { ...attributes, start: (part.offset ?? 0) + 1 }, ...items);
}

/**
 * @param {RichPart} part
 * @param {Reader} reader
 * @returns {Node}
 */
function richInline(part, reader) {
  const node = plainInline(part, reader);
  return typeof part.style === 'object' ? styled(node, part.style) : node;
}

/**
 * @param {RichPart} part
 * @param {Reader} reader
 * @returns {Node}
 */
function plainInline(part, { names, now }) {
  switch (part.type) {
    case 'text':
      return document.createTextNode(part.text ?? '');
    case 'link':
      return link(part.url ?? '', part.text || (part.url ?? ''));
    case 'user':
      return mention(`@${names.person(part.user_id ?? '')}`, 'person');
    case 'channel':
      return mention(`#${names.channel(part.channel_id ?? '')}`, 'channel');
    case 'usergroup':
      return mention(`@${names.group(part.usergroup_id ?? '')}`, 'group');
    case 'broadcast':
      return mention(`@${part.range ?? ''}`, 'everyone');
    case 'emoji':
      return document.createTextNode(emojiCharacter(part.name ?? '') ?? `:${part.name}:`);
    case 'date':
      return document.createTextNode(
        formatDate(part.timestamp ?? Number.NaN, part.format ?? '', now()) ?? part.fallback ?? '',
      );
    case 'color':
      return h('code', {}, part.value ?? '');
    default:
      return undrawable('element', part);
  }
}

/**
 * @param {Node} node
 * @param {RichStyle} style
 * @returns {Node}
 */
function styled(node, { bold, italic, strike, code }) {
  let out = node;
  if (code) out = h('code', {}, out);
  if (strike) out = h('s', {}, out);
  if (italic) out = h('i', {}, out);
  if (bold) out = h('b', {}, out);
  return out;
}
