/** Text fields: one line or several, addresses, numbers. */

import { h } from '../dom/dom.ts';
import { renderPlainText } from '../text/text-object.ts';
import type { Element, ElementSlot, FieldSnapshot, RenderContext } from '../types.ts';
import { clearFailure, dispatchAction, elementAttributes, showErrorText } from './dispatch-action.ts';
import { registerField } from './field-values.ts';
import { textErrorOf } from './text-errors.ts';

type TextInputRenderer = (element: Element, slot: ElementSlot, surface: RenderContext) => HTMLElement;

export const renderPlainTextInput: TextInputRenderer = (element, slot, surface) =>
  renderTextInput(element, slot, surface, {});
export const renderEmailInput: TextInputRenderer = (element, slot, surface) =>
  renderTextInput(element, slot, surface, { inputmode: 'email' });
export const renderUrlInput: TextInputRenderer = (element, slot, surface) =>
  renderTextInput(element, slot, surface, { inputmode: 'url' });
export const renderNumberInput: TextInputRenderer = (element, slot, surface) =>
  renderTextInput(element, slot, surface, { inputmode: 'decimal' });

function renderTextInput(
  element: Element,
  slot: ElementSlot,
  surface: RenderContext,
  more: Record<string, string>,
) {
  const attributes = {
    ...elementAttributes(element, slot),
    ...more,
    class: 'text-input',
    placeholder: renderPlainText(element.placeholder) || null,
  };
  const node = element.multiline
    ? h('textarea', { ...attributes, rows: 4 })
    : h('input', { ...attributes, type: 'text', autocomplete: 'off' });
  node.value = typeof element.initial_value === 'string' ? element.initial_value : '';
  const fault = () => textErrorOf(element, node.value);
  const sendValue = () => {
    const words = node.value === '' ? null : fault();
    if (words !== null) return showErrorText(node, words);
    clearFailure(node);
    void dispatchAction(node, { element, slot, surface, value: node.value });
  };
  const on = new Set(element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed']);
  const isOnEnter = slot.dispatches && on.has('on_enter_pressed');
  node.addEventListener('keydown', (event) => {
    const isEnter = event instanceof KeyboardEvent && event.key === 'Enter' && !event.shiftKey;
    if (!isEnter || event.isComposing || !isOnEnter) return;
    event.preventDefault();
    sendValue();
  });
  if (slot.dispatches && on.has('on_character_entered')) node.addEventListener('input', sendValue);
  registerField(node, {
    value: () => (node.value === '' ? null : node.value),
    state: () => ({ text: node.value }),
    restore({ text = '' }: FieldSnapshot) {
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
    isOnEnter && h('p', { class: 'field-hint' }, h('kbd', {}, 'Enter'), ' to submit'),
  );
}

/** How many characters are left, or still required. */
function counter({ min_length = 0, max_length }: Element, node: HTMLInputElement | HTMLTextAreaElement) {
  const counterNode = h('span', { class: 'counter', 'aria-live': 'polite' });
  const count = () => {
    const { length } = node.value;
    const isShort = length > 0 && length < min_length;
    const left = (max_length ?? Number.POSITIVE_INFINITY) - length;
    const rest = Number.isFinite(left) ? String(left) : '';
    counterNode.textContent = isShort ? `${min_length - length} more` : rest;
    counterNode.classList.toggle('over', left < 0);
  };
  node.addEventListener('input', count);
  node.addEventListener('restored', count);
  count();
  return counterNode;
}
