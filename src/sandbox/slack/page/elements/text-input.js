/** Written fields: text of one line or several, addresses, numbers. */
/** @import { Element, FieldState, Slot, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { plainText } from '../text/text.js';
import { giveField } from './fields.js';
import { clearFailure, dispatch, hooks, showWords } from './hooks.js';
import { faultOf } from './text-faults.js';

/** @typedef {(element: Element, slot: Slot, surface: Surface) => HTMLElement} Draw */

/** @type {Draw} */
export const plainTextInput = (element, slot, surface) => written(element, slot, surface, {});
/** @type {Draw} */
export const emailInput = (element, slot, surface) => written(element, slot, surface, { inputmode: 'email' });
/** @type {Draw} */
export const urlInput = (element, slot, surface) => written(element, slot, surface, { inputmode: 'url' });
/** @type {Draw} */
export const numberInput = (element, slot, surface) =>
  written(element, slot, surface, { inputmode: 'decimal' });

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @param {Record<string, string>} more
 */
function written(element, slot, surface, more) {
  const attributes = {
    ...hooks(element, slot),
    ...more,
    class: 'text-input',
    placeholder: plainText(element.placeholder) || null,
  };
  const node = element.multiline
    ? h('textarea', { ...attributes, rows: 4 })
    : h('input', { ...attributes, type: 'text', autocomplete: 'off' });
  node.value = typeof element.initial_value === 'string' ? element.initial_value : '';
  const fault = () => faultOf(element, node.value);
  const tell = () => {
    const words = node.value === '' ? null : fault();
    if (words !== null) return showWords(node, words);
    clearFailure(node);
    void dispatch(node, { element, slot, surface, value: node.value });
  };
  const on = new Set(element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed']);
  const isOnEnter = slot.dispatches && on.has('on_enter_pressed');
  node.addEventListener('keydown', (event) => {
    const isEnter = event instanceof KeyboardEvent && event.key === 'Enter' && !event.shiftKey;
    if (!isEnter || event.isComposing || !isOnEnter) return;
    event.preventDefault();
    tell();
  });
  if (slot.dispatches && on.has('on_character_entered')) node.addEventListener('input', tell);
  giveField(node, {
    value: () => (node.value === '' ? null : node.value),
    state: () => ({ text: node.value }),
    /** @param {FieldState} state */
    restore({ text = '' }) {
      node.value = text;
      node.dispatchEvent(new CustomEvent('restored'));
    },
    fault,
  });
  const isCounted = element.max_length !== undefined || (element.min_length ?? 0) > 1;
  return h(
    'div',
    { class: 'written' },
    node,
    isCounted && counter(element, node),
    isOnEnter && h('p', { class: 'enter-hint' }, h('kbd', {}, 'Enter'), ' to submit'),
  );
}

/**
 * How many characters are left, or still wanted.
 * @param {Element} element
 * @param {HTMLInputElement | HTMLTextAreaElement} node
 */
function counter({ min_length = 0, max_length }, node) {
  const shown = h('span', { class: 'counter', 'aria-live': 'polite' });
  const count = () => {
    const { length } = node.value;
    const isShort = length > 0 && length < min_length;
    const left = (max_length ?? Number.POSITIVE_INFINITY) - length;
    const rest = Number.isFinite(left) ? String(left) : '';
    shown.textContent = isShort ? `${min_length - length} more` : rest;
    shown.classList.toggle('over', left < 0);
  };
  node.addEventListener('input', count);
  node.addEventListener('restored', count);
  count();
  return shown;
}
