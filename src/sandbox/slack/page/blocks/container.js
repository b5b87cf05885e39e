/** @import { Block, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { picture } from '../picture.js';
import { richText } from '../text/rich-text.js';
import { plainNode, textNode } from '../text/text.js';
import { drawBlocks } from './index.js';

/**
 * Blocks in a frame with a title; where it may be folded, the title folds it.
 * @param {Block} block
 * @param {Surface} surface
 */
export function container(block, surface) {
  const { is_collapsible = false, default_collapsed = false, has_header_divider = false } = block;
  const inside = h('div', { class: 'container-blocks' }, ...drawBlocks(block.child_blocks ?? [], surface));
  const look = `container-block width-${block.width ?? 'standard'}${has_header_divider ? ' divided' : ''}`;
  const head = heading(block, surface);
  if (!is_collapsible)
    return h('section', { class: look }, h('div', { class: 'container-head' }, ...head), inside);
  return h(
    'details',
    { class: look, open: !default_collapsed },
    h('summary', { class: 'container-head' }, ...head),
    inside,
  );
}

/**
 * @param {Block} block
 * @param {Surface} surface
 */
function heading({ icon, title, rich_text_title, subtitle }, surface) {
  return [
    icon ? h('div', { class: 'card-icon' }, picture(icon)) : null,
    h(
      'div',
      { class: 'card-heading' },
      rich_text_title
        ? richText(rich_text_title, surface)
        : h('div', { class: 'card-title' }, plainNode(title)),
      subtitle && h('div', { class: 'card-subtitle' }, textNode(subtitle, surface)),
    ),
  ];
}
