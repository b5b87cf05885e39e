/** Check boxes and radio buttons. */
/** @import { Element, FieldState, Option, Slot, Surface } from '../types.d.ts' */
import { h, newId } from '../dom.js';
import { textNode } from '../text/text.js';
import { giveField } from './fields.js';
import { dispatch, hooks } from './hooks.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function checkboxes(element, slot, surface) {
  return choices(element, slot, surface, 'checkbox', element.initial_options ?? []);
}

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function radioButtons(element, slot, surface) {
  return choices(element, slot, surface, 'radio', element.initial_option ? [element.initial_option] : []);
}

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @param {'checkbox' | 'radio'} type
 * @param {readonly Option[]} initial
 */
function choices(element, slot, surface, type, initial) {
  const name = newId('choice');
  const rows = (element.options ?? []).map((option) => {
    const box = h('input', { type, name, value: option.value ?? '' });
    return { box, option, label: row(option, box, surface) };
  });
  const role = type === 'radio' ? 'radiogroup' : 'group';
  const node = h(
    'div',
    { ...hooks(element, slot), class: 'choices', role },
    ...rows.map(({ label }) => label),
  );
  const chosen = () => rows.filter(({ box }) => box.checked).map(({ option }) => option);
  /** @param {FieldState} state */
  const restore = ({ options = [] }) => {
    const values = new Set(options.map(({ value }) => value));
    for (const { box, option } of rows) box.checked = values.has(option.value);
  };
  const value = () => {
    const values = chosen().map((option) => option.value ?? '');
    return type === 'radio' ? (values[0] ?? null) : values;
  };
  restore({ options: initial });
  giveField(node, { value, state: () => ({ options: chosen() }), restore });
  let before = chosen();
  node.addEventListener('change', async () => {
    const isTold = await dispatch(node, { element, slot, surface, value: value() });
    if (isTold) before = chosen();
    else restore({ options: before });
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
