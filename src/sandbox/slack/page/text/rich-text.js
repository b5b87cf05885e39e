/** Rich text: people's own messages, and some of the bot's. */
/** @import { Block, ViewerContext, RichPart } from '../types.d.ts' */
import { h } from '../dom/dom.js';
import { renderUnsupported } from '../dom/unsupported.js';
import { renderRichInline } from './rich-inline.js';

/**
 * @param {Block} block
 * @param {ViewerContext} reader
 */
export function renderRichText(block, reader) {
  // The elements of a rich text are parts; those of other blocks are elements.
  const parts = /** @type {readonly RichPart[]} */ (block.elements ?? []);
  return h('div', { class: 'rich-text' }, ...parts.map((part) => renderRichPart(part, reader)));
}

/**
 * @param {RichPart} part
 * @param {ViewerContext} reader
 * @returns {HTMLElement}
 */
export function renderRichPart(part, reader) {
  const inside = () => (part.elements ?? []).map((each) => renderRichInline(each, reader));
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
      return renderUnsupported('element', part);
  }
}

/** Slack's maximum indent. */
const MAX_DEPTH = 8;

/**
 * @param {RichPart} part
 * @param {ViewerContext} reader
 */
function list(part, reader) {
  const items = (part.elements ?? []).map((each) => h('li', {}, renderRichPart(each, reader)));
  const indent = Math.min(Math.max(part.indent ?? 0, 0), MAX_DEPTH);
  const look = `rich-list indent-${indent} sign-${indent % 3}${part.border ? ' bordered' : ''}`;
  if (part.style !== 'ordered') return h('ul', { class: look }, ...items);
  return h('ol', { class: look, start: (part.offset ?? 0) + 1 }, ...items);
}
