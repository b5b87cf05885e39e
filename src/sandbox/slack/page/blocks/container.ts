import { h } from '../dom/dom.ts';
import { renderImageTag } from '../dom/image.ts';
import { renderRichText } from '../text/rich-text.ts';
import { plainNode, renderText } from '../text/text-object.ts';
import type { Block, RenderContext } from '../types.ts';

/** Rendered blocks in a frame with a title; the title of a collapsible container folds it. */
export function renderContainer(block: Block, children: readonly HTMLElement[], surface: RenderContext) {
  const { is_collapsible = false, default_collapsed = false, has_header_divider = false } = block;
  const inside = h('div', { class: 'container-blocks' }, ...children);
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

function renderHeading({ icon, title, rich_text_title, subtitle }: Block, surface: RenderContext) {
  return [
    icon ? h('div', { class: 'card-icon' }, renderImageTag(icon, surface.me)) : null,
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
