/** Menus of which one option is chosen: the browser's own control, for its keyboard and its ways on a phone. */
/** @import { Element, Option, Slot, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { plainText } from '../text/text.js';
import { dispatch, hooks } from './hooks.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function staticSelect(element, slot, surface) {
  const chosen = element.initial_option?.value;
  const groups = (element.option_groups ?? []).map(({ label, options }) =>
    h('optgroup', { label: plainText(label) }, ...options.map((option) => optionNode(option, chosen))),
  );
  const options = (element.options ?? []).map((option) => optionNode(option, chosen));
  return menu(element, slot, surface, [...options, ...groups]);
}

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function usersSelect(element, slot, surface) {
  const options = surface.people.map(({ id, name }) =>
    h('option', { value: id, selected: id === element.initial_user }, name),
  );
  return menu(element, slot, surface, options);
}

/**
 * @param {Option} option
 * @param {string | undefined} chosen
 */
const optionNode = ({ text, value }, chosen) =>
  h('option', { value: value ?? '', selected: value !== undefined && value === chosen }, plainText(text));

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @param {readonly HTMLElement[]} options
 */
function menu(element, slot, surface, options) {
  const placeholder = plainText(element.placeholder) || 'Select an item';
  const node = h(
    'select',
    { ...hooks(element, slot), class: 'select', 'aria-label': slot.labelledBy ? null : placeholder },
    h('option', { value: '', disabled: slot.dispatches }, placeholder),
    ...options,
  );
  // Without this the browser would choose the first option by itself.
  if (!node.querySelector('[selected]')) node.value = '';
  let before = node.value;
  node.addEventListener('change', async () => {
    const isTold = await dispatch(node, { element, slot, surface, value: node.value });
    if (isTold) before = node.value;
    else node.value = before;
  });
  return node;
}
