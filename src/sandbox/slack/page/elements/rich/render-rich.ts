/**
 * Renders a rich text block as the content of an editable field; parts that cannot be typed (mentions, dates) stay
 * whole.
 */

import { h } from '../../dom/dom.ts';
import { renderRichPart } from '../../text/rich-text.ts';
import type { Block, RichPart, ViewerContext } from '../../types.ts';

const pieces = new WeakMap<Node, RichPart>();

/** The part that a node was rendered from. */
export const partOf = (node: Node) => pieces.get(node);

export function renderEditable(block: Block, reader: ViewerContext): readonly Node[] {
  // The elements of a rich text are parts; those of other blocks are elements.
  const parts = (block.elements ?? []) as readonly RichPart[];
  return parts.map((part) => editablePart(part, reader));
}

function editablePart(part: RichPart, reader: ViewerContext): HTMLElement {
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

function inline({ elements = [] }: RichPart, reader: ViewerContext) {
  return elements.map((each) => {
    const drawn = renderRichPart({ type: 'rich_text_section', elements: [each] }, reader);
    if (each.type === 'text') return h('span', {}, ...drawn.childNodes);
    const piece = h('span', { contenteditable: 'false' }, ...drawn.childNodes);
    pieces.set(piece, each);
    return piece;
  });
}
