/** Checkboxes and radio buttons. */
/** @import { Element, FieldSnapshot, Option, ElementSlot, RenderContext } from '../types.d.ts' */
import { h, newId } from '../dom/dom.js';
import { renderText } from '../text/text-object.js';
import { dispatchAction, elementAttributes } from './dispatch-action.js';
import { registerField } from './field-values.js';

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderCheckboxes(element, slot, surface) {
  return renderChoices(element, slot, surface, 'checkbox', element.initial_options ?? []);
}

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderRadioButtons(element, slot, surface) {
  return renderChoices(
    element,
    slot,
    surface,
    'radio',
    element.initial_option ? [element.initial_option] : [],
  );
}

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 * @param {'checkbox' | 'radio'} type
 * @param {readonly Option[]} initial
 */
function renderChoices(element, slot, surface, type, initial) {
  const name = newId('choice');
  const rows = (element.options ?? []).map((option) => {
    const box = h('input', { type, name, value: option.value ?? '' });
    return { box, option, label: row(option, box, surface) };
  });
  const role = type === 'radio' ? 'radiogroup' : 'group';
  const node = h(
    'div',
    { ...elementAttributes(element, slot), class: 'choices', role },
    ...rows.map(({ label }) => label),
  );
  const chosen = () => rows.filter(({ box }) => box.checked).map(({ option }) => option);
  /** @param {FieldSnapshot} state */
  const restore = ({ options = [] }) => {
    const values = new Set(options.map(({ value }) => value));
    for (const { box, option } of rows) box.checked = values.has(option.value);
  };
  const value = () => {
    const values = chosen().map((option) => option.value ?? '');
    return type === 'radio' ? (values[0] ?? null) : values;
  };
  restore({ options: initial });
  registerField(node, { value, state: () => ({ options: chosen() }), restore });
  let before = chosen();
  node.addEventListener('change', async () => {
    const isTold = await dispatchAction(node, { element, slot, surface, value: value() });
    if (isTold) before = chosen();
    else restore({ options: before });
  });
  return node;
}

/**
 * @param {Option} option
 * @param {HTMLInputElement} box
 * @param {RenderContext} surface
 */
function row(option, box, surface) {
  const about = option.description && h('small', {}, renderText(option.description, surface));
  return h('label', {}, box, h('span', {}, renderText(option.text, surface), about));
}
