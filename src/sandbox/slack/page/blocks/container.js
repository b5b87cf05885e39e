/** @import { Block, RenderContext } from '../types.d.ts' */
import { h } from '../dom/dom.js';
import { renderImageTag } from '../dom/image.js';
import { renderRichText } from '../text/rich-text.js';
import { plainNode, renderText } from '../text/text-object.js';
import { renderBlocks } from './index.js';

/**
 * Blocks in a frame with a title; the title of a collapsible container folds it.
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderContainer(block, surface) {
  const { is_collapsible = false, default_collapsed = false, has_header_divider = false } = block;
  const inside = h('div', { class: 'container-blocks' }, ...renderBlocks(block.child_blocks ?? [], surface));
  const look = `container-block width-${block.width ?? 'standard'}${has_header_divider ? ' divided' : ''}`;
  const head = renderHeading(block, surface);
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
 * @param {RenderContext} surface
 */
function renderHeading({ icon, title, rich_text_title, subtitle }, surface) {
  return [
    icon ? h('div', { class: 'card-icon' }, renderImageTag(icon)) : null,
    h(
      'div',
      { class: 'card-heading' },
      rich_text_title
        ? renderRichText(rich_text_title, surface)
        : h('div', { class: 'card-title' }, plainNode(title)),
      subtitle && h('div', { class: 'card-subtitle' }, renderText(subtitle, surface)),
    ),
  ];
}
