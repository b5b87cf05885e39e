/** The blocks that only place text, pictures and elements. */
/** @import { Block, Element, Surface, Text } from '../types.d.ts' */
import { h } from '../dom.js';
import { drawElement } from '../elements/index.js';
import { picture } from '../picture.js';
import { folded } from '../text/fold.js';
import { plainNode, plainText, textNode } from '../text/text.js';
import { acting, elementsOf } from './acting.js';

/**
 * @param {Block} block
 * @param {Surface} surface
 */
export function section(block, surface) {
  const fields = (block.fields ?? []).map((field) => h('div', { class: 'field' }, textNode(field, surface)));
  return h(
    'div',
    { class: 'section' },
    h(
      'div',
      { class: 'section-body' },
      block.text && sectionText(block, surface),
      fields.length > 0 && h('div', { class: 'fields' }, ...fields),
    ),
    block.accessory && h('div', { class: 'accessory' }, drawElement(block.accessory, acting(block), surface)),
  );
}

/**
 * @param {Block} block
 * @param {Surface} surface
 */
function sectionText({ text, expand }, surface) {
  const node = h('div', { class: 'section-text' }, textNode(text, surface));
  const words = typeof text === 'string' ? text : (text?.text ?? '');
  return expand === true ? node : folded(node, words);
}

/** @param {Block} block */
export const header = (block) => h('h3', { class: 'header-block' }, plainNode(block.text));

export const divider = () => h('hr', {});

/** @param {Block} block */
export function image(block) {
  const title = plainText(block.title);
  return h('figure', {}, title !== '' && h('figcaption', {}, title), picture(block));
}

/**
 * @param {Block} block
 * @param {Surface} surface
 */
export function context(block, surface) {
  const parts = elementsOf(block).map((element) =>
    element.type === 'image' ? picture(element) : h('span', {}, textNode(asText(element), surface)),
  );
  return h('div', { class: 'context' }, ...parts);
}

/**
 * @param {Block} block
 * @param {Surface} surface
 */
export function actions(block, surface) {
  const slot = acting(block);
  return h(
    'div',
    { class: 'actions' },
    ...elementsOf(block).map((element) => drawElement(element, slot, surface)),
  );
}

/**
 * @param {Block} block
 * @param {Surface} surface
 */
export function contextActions(block, surface) {
  const elements = elementsOf(block).map((element) => drawElement(element, acting(block), surface));
  return h('div', { class: 'context-actions' }, ...elements);
}

/**
 * @param {Element} element
 * @returns {Text}
 */
const asText = ({ type, text }) => ({ type, text: typeof text === 'string' ? text : '' });
