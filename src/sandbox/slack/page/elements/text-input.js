/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { plainText } from '../text/text.js';
import { dispatch, hooks } from './hooks.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function plainTextInput(element, slot, surface) {
  const attributes = {
    ...hooks(element, slot),
    class: 'text-input',
    placeholder: plainText(element.placeholder) || null,
    minlength: element.min_length,
    maxlength: element.max_length,
  };
  const node = element.multiline
    ? h('textarea', { ...attributes, rows: 4 })
    : h('input', { ...attributes, type: 'text', autocomplete: 'off' });
  node.value = element.initial_value ?? '';
  node.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent) || event.key !== 'Enter' || element.multiline || !slot.dispatches)
      return;
    event.preventDefault();
    void dispatch(node, { element, slot, surface, value: node.value });
  });
  return node;
}

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function datepicker(element, slot, surface) {
  const label = slot.labelledBy ? null : plainText(element.placeholder) || 'Select a date';
  const node = h('input', {
    ...hooks(element, slot),
    type: 'date',
    class: 'text-input date',
    'aria-label': label,
  });
  node.value = element.initial_date ?? '';
  node.addEventListener('change', () => void dispatch(node, { element, slot, surface, value: node.value }));
  return node;
}
