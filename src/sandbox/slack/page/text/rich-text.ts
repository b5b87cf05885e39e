/** Rich text: people's own messages, and some of the bot's. */

import { h } from '../dom/dom.ts';
import { renderUnsupported } from '../dom/unsupported.ts';
import type { Block, RichPart, ViewerContext } from '../types.ts';
import { renderRichInline } from './rich-inline.ts';

export function renderRichText(block: Block, reader: ViewerContext) {
  // The elements of a rich text are parts; those of other blocks are elements.
  const parts = (block.elements ?? []) as readonly RichPart[];
  return h('div', { class: 'rich-text' }, ...parts.map((part) => renderRichPart(part, reader)));
}

export function renderRichPart(part: RichPart, reader: ViewerContext): HTMLElement {
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

function list(part: RichPart, reader: ViewerContext) {
  const items = (part.elements ?? []).map((each) => h('li', {}, renderRichPart(each, reader)));
  const indent = Math.min(Math.max(part.indent ?? 0, 0), MAX_DEPTH);
  const look = `rich-list indent-${indent} sign-${indent % 3}${part.border ? ' bordered' : ''}`;
  if (part.style !== 'ordered') return h('ul', { class: look }, ...items);
  return h('ol', { class: look, start: (part.offset ?? 0) + 1 }, ...items);
}
