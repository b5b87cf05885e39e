/** Check boxes and radio buttons. */
/** @import { Element, Option, Slot, Surface } from '../types.d.ts' */
import { h, newId } from '../dom.js';
import { textNode } from '../text/text.js';
import { dispatch, hooks } from './hooks.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function checkboxes(element, slot, surface) {
  const chosen = new Set((element.initial_options ?? []).map(({ value }) => value));
  return choices(element, slot, surface, 'checkbox', (value) => chosen.has(value));
}

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function radioButtons(element, slot, surface) {
  return choices(element, slot, surface, 'radio', (value) => value === element.initial_option?.value);
}

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @param {'checkbox' | 'radio'} type
 * @param {(value: string | undefined) => boolean} isChosen
 */
function choices(element, slot, surface, type, isChosen) {
  const name = newId('choice');
  const rows = (element.options ?? []).map((option) =>
    row(
      option,
      h('input', { type, name, value: option.value ?? '', checked: isChosen(option.value) }),
      surface,
    ),
  );
  const role = type === 'radio' ? 'radiogroup' : 'group';
  const node = h('div', { ...hooks(element, slot), class: 'choices', role }, ...rows);
  node.addEventListener('change', () => {
    const values = [...node.querySelectorAll('input:checked')].map((box) => box.getAttribute('value') ?? '');
    void dispatch(node, { element, slot, surface, value: type === 'radio' ? values[0] : values });
  });
  return node;
}

/**
 * @param {Option} option
 * @param {HTMLInputElement} box
 * @param {Surface} surface
 */
function row(option, box, surface) {
  const about = option.description && h('small', {}, textNode(option.description, surface));
  return h('label', {}, box, h('span', {}, textNode(option.text, surface), about));
}
