/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { isOpenable } from '../text/link.js';
import { plainNode } from '../text/text.js';
import { dispatch, hooks } from './hooks.js';

/**
 * A button; one with an address opens it and tells the bot as well, as Slack does.
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function button(element, slot, surface) {
  const style = element.style === 'primary' || element.style === 'danger' ? element.style : '';
  const attributes = {
    ...hooks(element, slot),
    class: `button ${style}`.trim(),
    'aria-label': element.accessibility_label ?? null,
  };
  const label = h('span', { class: 'button-words' }, plainNode(element.text));
  const node =
    element.url && isOpenable(element.url)
      ? h('a', { ...attributes, href: element.url, target: '_blank', rel: 'noopener noreferrer' }, label)
      : h('button', { ...attributes, type: 'button' }, label);
  node.addEventListener('click', () => void dispatch(node, { element, slot, surface }));
  return node;
}
