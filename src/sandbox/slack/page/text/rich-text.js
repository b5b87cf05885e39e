/** Rich text: what people's own messages are made of, and some of the bot's. */
/** @import { Block, Reader, RichPart } from '../types.d.ts' */
import { h } from '../dom.js';
import { undrawable } from '../undrawable.js';
import { richInline } from './rich-inline.js';

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
  const border = part.border ? 'bordered' : null;
  switch (part.type) {
    case 'rich_text_section':
      return h('div', { class: 'lines' }, ...inside());
    case 'rich_text_quote':
      return h('blockquote', { class: border }, ...inside());
    case 'rich_text_preformatted':
      return h('pre', { class: border }, ...inside());
    case 'rich_text_list':
      return list(part, reader);
    default:
      return undrawable('element', part);
  }
}

/** Slack indents no deeper. */
const DEEPEST = 8;

/**
 * @param {RichPart} part
 * @param {Reader} reader
 */
function list(part, reader) {
  const items = (part.elements ?? []).map((each) => h('li', {}, richPart(each, reader)));
  const indent = Math.min(Math.max(part.indent ?? 0, 0), DEEPEST);
  const look = `rich-list indent-${indent} sign-${indent % 3}${part.border ? ' bordered' : ''}`;
  if (part.style !== 'ordered') return h('ul', { class: look }, ...items);
  return h('ol', { class: look, start: (part.offset ?? 0) + 1 }, ...items);
}
