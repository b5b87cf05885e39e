/** Blocks that only arrange text, images and elements. */
/** @import { Block, Element, RenderContext, TextObject } from '../types.d.ts' */
import { h } from '../dom/dom.js';
import { renderImageTag } from '../dom/image.js';
import { renderElement } from '../elements/index.js';
import { collapsible } from '../text/show-more.js';
import { plainNode, renderPlainText, renderText } from '../text/text-object.js';

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderSection(block, surface) {
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

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
function sectionText({ text, expand }, surface) {
  const node = h('div', { class: 'section-text' }, renderText(text, surface));
  const words = typeof text === 'string' ? text : (text?.text ?? '');
  return expand === true ? node : collapsible(node, words);
}

/**
 * A header without a level looks like one of the second level.
 * @param {Block} block
 */
export const renderHeader = (block) =>
  h('h3', { class: `header-block level-${block.level ?? 2}` }, plainNode(block.text));

export const renderDivider = () => h('hr', {});

/** @param {Block} block */
export function renderImage(block) {
  const title = renderPlainText(block.title);
  return h('figure', {}, title !== '' && h('figcaption', {}, title), renderImageTag(block));
}

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderContext(block, surface) {
  const parts = blockElements(block).map((element) =>
    element.type === 'image' ? renderImageTag(element) : h('span', {}, renderText(asText(element), surface)),
  );
  return h('div', { class: 'context' }, ...parts);
}

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderActions(block, surface) {
  const slot = actionSlot(block);
  return h(
    'div',
    { class: 'actions' },
    ...blockElements(block).map((element) => renderElement(element, slot, surface)),
  );
}

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderContextActions(block, surface) {
  const elements = blockElements(block).map((element) => renderElement(element, actionSlot(block), surface));
  return h('div', { class: 'context-actions' }, ...elements);
}

/**
 * @param {Element} element
 * @returns {TextObject}
 */
const asText = ({ type, text }) => ({ type, text: typeof text === 'string' ? text : '' });

/** Outside input blocks an element tells the bot at once. @param {Block} block */
export const actionSlot = (block) => ({ blockId: block.block_id ?? '', dispatches: true });

/**
 * The elements of blocks that have some; in other blocks `elements` are parts of a rich text, or blocks.
 * @param {Block} block
 */
export const blockElements = (block) => /** @type {readonly Element[]} */ (block.elements ?? []);
