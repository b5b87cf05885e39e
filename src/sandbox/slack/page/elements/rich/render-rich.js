/**
 * Renders a rich text block as the content of an editable field; parts that cannot be typed (mentions, dates) stay
 * whole.
 */
/** @import { Block, ViewerContext, RichPart } from '../../types.d.ts' */

import { h } from '../../dom/dom.js';
import { renderRichPart } from '../../text/rich-text.js';

/** @type {WeakMap<Node, RichPart>} */
const pieces = new WeakMap();

/** The part that a node was rendered from. @param {Node} node */
export const partOf = (node) => pieces.get(node);

/**
 * @param {Block} block
 * @param {ViewerContext} reader
 * @returns {readonly Node[]}
 */
export function renderEditable(block, reader) {
  // The elements of a rich text are parts; those of other blocks are elements.
  const parts = /** @type {readonly RichPart[]} */ (block.elements ?? []);
  return parts.map((part) => editablePart(part, reader));
}

/**
 * @param {RichPart} part
 * @param {ViewerContext} reader
 * @returns {HTMLElement}
 */
function editablePart(part, reader) {
  const inside = part.elements ?? [];
  switch (part.type) {
    case 'rich_text_list':
      return h(
        part.style === 'ordered' ? 'ol' : 'ul',
        {},
        ...inside.map((item) => h('li', {}, ...inline(item, reader))),
      );
    case 'rich_text_quote':
      return h('blockquote', {}, ...inline(part, reader));
    case 'rich_text_preformatted':
      return h('pre', {}, ...inline(part, reader));
    default:
      return h('div', {}, ...inline(part, reader));
  }
}

/**
 * @param {RichPart} part
 * @param {ViewerContext} reader
 */
function inline({ elements = [] }, reader) {
  return elements.map((each) => {
    const drawn = renderRichPart({ type: 'rich_text_section', elements: [each] }, reader);
    if (each.type === 'text') return h('span', {}, ...drawn.childNodes);
    const piece = h('span', { contenteditable: 'false' }, ...drawn.childNodes);
    pieces.set(piece, each);
    return piece;
  });
}
