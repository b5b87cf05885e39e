/** Dates and times: the browser's own fields. Their values already have Slack's forms, `YYYY-MM-DD` and `HH:MM`. */
/** @import { Element, ElementSlot, FieldSnapshot, RenderContext } from '../types.d.ts' */
import { h } from '../dom/dom.js';
import { renderPlainText } from '../text/text-object.js';
import { dispatchAction, elementAttributes } from './dispatch-action.js';
import { registerField } from './field-values.js';

/** @typedef {(element: Element, slot: ElementSlot, surface: RenderContext) => HTMLElement} DateRenderer */
/**
 * @typedef {object} DateKind
 * @property {Record<string, string>} attributes of the field; years before 1000 are only steps of typing a later one
 * @property {string} noun
 * @property {string} initial the field's own text
 * @property {(text: string) => string | number} toValue what the bot receives
 */

/** @type {DateRenderer} */
export const renderDatepicker = (element, slot, surface) =>
  renderDateInput(element, slot, surface, {
    attributes: { type: 'date', min: '1000-01-01', max: '9999-12-31' },
    noun: 'date',
    initial: element.initial_date ?? '',
    toValue: (text) => text,
  });

/** @type {DateRenderer} */
export const renderTimepicker = (element, slot, surface) =>
  renderDateInput(element, slot, surface, {
    attributes: { type: 'time' },
    noun: 'time',
    initial: element.initial_time ?? '',
    toValue: (text) => text,
  });

/** @type {DateRenderer} */
export const renderDatetimepicker = (element, slot, surface) =>
  renderDateInput(element, slot, surface, {
    attributes: { type: 'datetime-local', min: '1000-01-01T00:00', max: '9999-12-31T23:59' },
    noun: 'date and time',
    initial: element.initial_date_time === undefined ? '' : localTime(element.initial_date_time * 1000),
    toValue: (text) => Math.floor(Date.parse(text) / 1000),
  });

/** `YYYY-MM-DDTHH:MM` in the zone of the browser. @param {number} ms */
const localTime = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 * @param {DateKind} kind
 */
function renderDateInput(element, slot, surface, { attributes, noun, initial, toValue }) {
  const node = h('input', {
    ...elementAttributes(element, slot),
    ...attributes,
    class: 'text-input date-input',
    title: renderPlainText(element.placeholder) || `Select a ${noun}`,
  });
  node.value = initial;
  let sent = node.value;
  const value = () => (node.value === '' || !node.validity.valid ? null : toValue(node.value));
  if (slot.dispatches)
    onCommit(node, async () => {
      const before = sent;
      if (value() === null) node.value = before;
      if (node.value === before) return;
      sent = node.value;
      if (!(await dispatchAction(node, { element, slot, surface, value: value() })))
        sent = node.value = before;
    });
  registerField(node, {
    value,
    state: () => ({ text: node.value }),
    /** @param {FieldSnapshot} state */
    restore({ text = '' }) {
      node.value = text;
    },
    fault: () => (node.validity.valid ? null : `Please enter a valid ${noun}.`),
  });
  return node;
}

/**
 * Calls back once a value is complete: at once where it was picked, on Enter or on leaving the field where it was typed,
 * because the browser reports every digit as a change.
 * @param {HTMLInputElement} node
 * @param {() => Promise<void>} commit
 */
function onCommit(node, commit) {
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
