/** Dates and times: the browser's own fields. Their values already have Slack's forms, `YYYY-MM-DD` and `HH:MM`. */

import { h } from '../dom/dom.ts';
import { renderPlainText } from '../text/text-object.ts';
import type { Element, ElementSlot, FieldSnapshot, RenderContext } from '../types.ts';
import { dispatchAction, elementAttributes } from './dispatch-action.ts';
import { registerField } from './field-values.ts';

type DateRenderer = (element: Element, slot: ElementSlot, surface: RenderContext) => HTMLElement;
type DateKind = {
  /** Of the field; years before 1000 are only steps of typing a later one. */
  readonly attributes: Record<string, string>;
  readonly noun: string;
  /** The field's own text. */
  readonly initial: string;
  /** What the bot receives. */
  readonly toValue: (text: string) => string | number;
};

export const renderDatepicker: DateRenderer = (element, slot, surface) =>
  renderDateInput(element, slot, surface, {
    attributes: { type: 'date', min: '1000-01-01', max: '9999-12-31' },
    noun: 'date',
    initial: element.initial_date ?? '',
    toValue: (text) => text,
  });

export const renderTimepicker: DateRenderer = (element, slot, surface) => {
  const field = renderDateInput(element, slot, surface, {
    attributes: { type: 'time' },
    noun: 'time',
    initial: element.initial_time ?? '',
    toValue: (text) => text,
  });
  if (element.timezone === undefined) return field;
  // “As hint text underneath” (docs.slack.dev/reference/block-kit/block-elements/time-picker-element).
  return h('div', {}, field, h('p', { class: 'field-hint' }, element.timezone));
};

export const renderDatetimepicker: DateRenderer = (element, slot, surface) =>
  renderDateInput(element, slot, surface, {
    attributes: { type: 'datetime-local', min: '1000-01-01T00:00', max: '9999-12-31T23:59' },
    noun: 'date and time',
    initial: element.initial_date_time === undefined ? '' : localTime(element.initial_date_time * 1000),
    toValue: (text) => Math.floor(Date.parse(text) / 1000),
  });

/** `YYYY-MM-DDTHH:MM` in the zone of the browser. */
const localTime = (ms: number) =>
  new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function renderDateInput(
  element: Element,
  slot: ElementSlot,
  surface: RenderContext,
  { attributes, noun, initial, toValue }: DateKind,
) {
  const placeholder = renderPlainText(element.placeholder);
  const node = h('input', {
    ...elementAttributes(element, slot),
    ...attributes,
    class: 'text-input date-input',
    title: placeholder || `Select a ${noun}`,
  });
  node.value = initial;
  const place = placeholder && placeholderOver(node, placeholder);
  const setText = (text: string) => {
    node.value = text;
    node.dispatchEvent(new CustomEvent('restored'));
  };
  let sent = node.value;
  const value = () => (node.value === '' || !node.validity.valid ? null : toValue(node.value));
  if (slot.dispatches)
    onCommit(node, async () => {
      const before = sent;
      if (value() === null) setText(before);
      if (node.value === before) return;
      sent = node.value;
      if (await dispatchAction(node, { element, slot, surface, value: value() })) return;
      sent = before;
      setText(before);
    });
  registerField(node, {
    value,
    state: () => ({ text: node.value }),
    restore({ text = '' }: FieldSnapshot) {
      setText(text);
    },
    fault: () => (node.validity.valid ? null : `Please enter a valid ${noun}.`),
  });
  return place || node;
}

/** Dates have no placeholder in browsers: this one stands over a field that is empty and not being typed in. */
function placeholderOver(node: HTMLInputElement, words: string) {
  const mark = () => node.toggleAttribute('data-empty', node.value === '' && !node.validity.badInput);
  for (const name of ['input', 'change', 'blur', 'restored']) node.addEventListener(name, mark);
  mark();
  return h('span', { class: 'date-place', 'data-placeholder': words }, node);
}

/**
 * Calls back once a value is complete: at once where it was picked, on Enter or on leaving the field where it was
 * typed, because the browser reports every digit as a change.
 */
function onCommit(node: HTMLInputElement, commit: () => Promise<void>) {
  let isTyping = false;
  const finish = () => {
    isTyping = false;
    void commit();
  };
  node.addEventListener('keydown', (event) => {
    isTyping = event.key !== 'Enter';
    if (isTyping) return;
    event.preventDefault();
    finish();
  });
  node.addEventListener('change', () => {
    if (!isTyping) void commit();
  });
  node.addEventListener('pointerdown', () => {
    isTyping = false;
  });
  node.addEventListener('blur', finish);
}
