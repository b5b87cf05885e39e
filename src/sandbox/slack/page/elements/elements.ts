/** Every type of element with its renderer; menus have a file of their own. */

import { h, newId, renderUnsupported } from '../dom/dom.ts';
import { plainNode } from '../text/text-object.ts';
import type { Element, ElementSlot, FieldSnapshot, Option, RenderContext } from '../types.ts';
import {
  clearFailure,
  dispatchAction,
  elementAttributes,
  fieldHandleOf,
  registerField,
  rememberField,
  showErrorText,
} from './action.ts';
import { renderMenu } from './picker.ts';

type ElementRenderer = (element: Element, slot: ElementSlot, surface: RenderContext) => HTMLElement;

const RENDERERS: ReadonlyMap<string, ElementRenderer> = new Map(
  Object.entries({
    button: renderButton,
    checkboxes: renderChoices,
    external_select: renderMenu,
    multi_external_select: renderMenu,
    multi_static_select: renderMenu,
    plain_text_input: renderTextInput,
    radio_buttons: renderChoices,
    static_select: renderMenu,
    timepicker: renderTimepicker,
  }),
);

export function renderElement(element: Element, slot: ElementSlot, surface: RenderContext): HTMLElement {
  const draw = RENDERERS.get(element.type);
  if (!draw) return renderUnsupported('element', element);
  const drawn = draw(element, slot, surface);
  const node = drawn.matches('[data-element]') ? drawn : drawn.querySelector('[data-element]');
  if (!slot.dispatches && node instanceof HTMLElement && fieldHandleOf(node))
    rememberField(surface, { node, element, slot });
  return drawn;
}

function renderButton(element: Element, slot: ElementSlot, surface: RenderContext) {
  const node = h(
    'button',
    { ...elementAttributes(element, slot), type: 'button', class: `button ${element.style ?? ''}`.trim() },
    h('span', { class: 'button-words' }, plainNode(element.text)),
  );
  node.addEventListener('click', () => void dispatchAction(node, { element, slot, surface }));
  return node;
}

/** Checkboxes and radio buttons. */
function renderChoices(element: Element, slot: ElementSlot, surface: RenderContext) {
  const { options = [], initial_option, initial_options } = element;
  const isRadio = element.type === 'radio_buttons';
  const name = newId('choice');
  const rows = options.map((option) => {
    const box = h('input', { type: isRadio ? 'radio' : 'checkbox', name, value: option.value ?? '' });
    return { box, option };
  });
  const node = h(
    'div',
    { ...elementAttributes(element, slot), class: 'choices', role: isRadio ? 'radiogroup' : 'group' },
    ...rows.map(({ box, option }) => h('label', {}, box, choiceWords(option))),
  );
  const chosen = () => rows.filter(({ box }) => box.checked).map(({ option }) => option);
  const restore = ({ options: restored = [] }: FieldSnapshot) => {
    const values = new Set(restored.map(({ value }) => value));
    for (const { box, option } of rows) box.checked = values.has(option.value);
  };
  const value = () => {
    const values = chosen().map((option) => option.value ?? '');
    return isRadio ? (values[0] ?? null) : values;
  };
  restore({ options: initial_options ?? (initial_option ? [initial_option] : []) });
  registerField(node, { value, state: () => ({ options: chosen() }), restore });
  node.addEventListener(
    'change',
    () => void dispatchAction(node, { element, slot, surface, value: value() }),
  );
  return node;
}

function choiceWords({ text, description }: Option) {
  return h('span', {}, plainNode(text), description && h('small', {}, plainNode(description)));
}

/** The browser's own field, whose value already has Slack's form, `HH:MM`. */
function renderTimepicker(element: Element, slot: ElementSlot) {
  const node = h('input', {
    ...elementAttributes(element, slot),
    type: 'time',
    class: 'text-input time-input',
    title: 'Select a time',
  });
  node.value = element.initial_time ?? '';
  registerField(node, {
    value: () => (node.validity.valid && node.value !== '' ? node.value : null),
    state: () => ({ text: node.value }),
    restore({ text = '' }: FieldSnapshot) {
      node.value = text;
    },
    fault: () => (node.validity.valid ? null : 'Please enter a valid time.'),
  });
  return node;
}

/** Slack's own limit of a plain text (docs.slack.dev, plain-text input). */
const MAX_LENGTH = 3000;

/** A text field of one line or several. */
function renderTextInput(element: Element, slot: ElementSlot, surface: RenderContext) {
  const { multiline = false, max_length = MAX_LENGTH } = element;
  const attributes = { ...elementAttributes(element, slot), class: 'text-input' };
  const node = multiline
    ? h('textarea', { ...attributes, rows: 4 })
    : h('input', { ...attributes, type: 'text', autocomplete: 'off' });
  node.value = element.initial_value ?? '';
  // Slack’s client checks it before the app gets it; its exact text is not published.
  const fault = () => {
    const isLong = node.value.length > max_length;
    return isLong ? `Please enter at most ${max_length} characters.` : null;
  };
  const sendValue = () => {
    const words = fault();
    if (words !== null) return showErrorText(node, words);
    clearFailure(node);
    void dispatchAction(node, { element, slot, surface, value: node.value });
  };
  node.addEventListener('keydown', (event) => {
    const isEnter = event instanceof KeyboardEvent && event.key === 'Enter' && !event.shiftKey;
    if (!isEnter || event.isComposing || !slot.dispatches) return;
    event.preventDefault();
    sendValue();
  });
  registerField(node, {
    value: () => (node.value === '' ? null : node.value),
    state: () => ({ text: node.value }),
    restore({ text = '' }: FieldSnapshot) {
      node.value = text;
      node.dispatchEvent(new CustomEvent('restored'));
    },
    fault,
  });
  return h(
    'div',
    { class: 'written' },
    node,
    element.max_length !== undefined && counter(element.max_length, node),
    slot.dispatches && h('p', { class: 'field-hint' }, h('kbd', {}, 'Enter'), ' to submit'),
  );
}

/** How many characters are left. */
function counter(max_length: number, node: HTMLInputElement | HTMLTextAreaElement) {
  const counterNode = h('span', { class: 'counter', 'aria-live': 'polite' });
  const count = () => {
    const left = max_length - node.value.length;
    counterNode.textContent = String(left);
    counterNode.classList.toggle('over', left < 0);
  };
  node.addEventListener('input', count);
  node.addEventListener('restored', count);
  count();
  return counterNode;
}
