/** Blocks that only arrange text, images and elements. */

import { h } from '../dom/dom.ts';
import { renderImageTag } from '../dom/image.ts';
import { renderElement } from '../elements/index.ts';
import { collapsible } from '../text/show-more.ts';
import { plainNode, renderPlainText, renderText } from '../text/text-object.ts';
import type { Block, Element, RenderContext, TextObject } from '../types.ts';

export function renderSection(block: Block, surface: RenderContext) {
  const fields = (block.fields ?? []).map((field) =>
    h('div', { class: 'field' }, renderText(field, surface)),
  );
  return h(
    'div',
    { class: 'section' },
    h(
      'div',
      { class: 'section-body' },
      block.text && sectionText(block, surface),
      fields.length > 0 && h('div', { class: 'fields' }, ...fields),
    ),
    block.accessory &&
      h('div', { class: 'accessory' }, renderElement(block.accessory, actionSlot(block), surface)),
  );
}

function sectionText({ text, expand }: Block, surface: RenderContext) {
  const node = h('div', { class: 'section-text' }, renderText(text, surface));
  const words = typeof text === 'string' ? text : (text?.text ?? '');
  return expand === true ? node : collapsible(node, words);
}

/** “H1-H4 heading levels” (docs.slack.dev/reference/block-kit/blocks/header-block); one without is of the second. */
const HEADINGS = { 1: 'h1', 2: 'h2', 3: 'h3', 4: 'h4' } as const;

export function renderHeader({ level, text }: Block) {
  const depth = level === 1 || level === 3 || level === 4 ? level : 2;
  return h(HEADINGS[depth], { class: `header-block level-${depth}` }, plainNode(text));
}

export const renderDivider = () => h('hr', {});

export function renderImage(block: Block, { me }: RenderContext) {
  const title = renderPlainText(block.title);
  return h('figure', {}, title !== '' && h('figcaption', {}, title), renderImageTag(block, me));
}

export function renderContext(block: Block, surface: RenderContext) {
  const parts = blockElements(block).map((element) =>
    element.type === 'image'
      ? renderImageTag(element, surface.me)
      : h('span', {}, renderText(asText(element), surface)),
  );
  return h('div', { class: 'context' }, ...parts);
}

export function renderActions(block: Block, surface: RenderContext) {
  const slot = actionSlot(block);
  return h(
    'div',
    { class: 'actions' },
    ...blockElements(block).map((element) => renderElement(element, slot, surface)),
  );
}

export function renderContextActions(block: Block, surface: RenderContext) {
  const elements = blockElements(block).map((element) => renderElement(element, actionSlot(block), surface));
  return h('div', { class: 'context-actions' }, ...elements);
}

const asText = ({ type, text }: Element): TextObject => ({
  type,
  text: typeof text === 'string' ? text : '',
});

/** Outside input blocks an element tells the bot at once. */
export const actionSlot = (block: Block) => ({ blockId: block.block_id ?? '', dispatches: true });

/** The elements of blocks that have some; in other blocks `elements` are parts of a rich text, or blocks. */
const blockElements = (block: Block) => (block.elements ?? []) as readonly Element[];
