/** Checkboxes and radio buttons. */

import { h, newId } from '../dom/dom.ts';
import { renderText } from '../text/text-object.ts';
import type { Element, ElementSlot, FieldSnapshot, Option, RenderContext } from '../types.ts';
import { dispatchAction, elementAttributes } from './dispatch-action.ts';
import { registerField } from './field-values.ts';

export function renderCheckboxes(element: Element, slot: ElementSlot, surface: RenderContext) {
  return renderChoices(element, slot, surface, 'checkbox', element.initial_options ?? []);
}

export function renderRadioButtons(element: Element, slot: ElementSlot, surface: RenderContext) {
  return renderChoices(
    element,
    slot,
    surface,
    'radio',
    element.initial_option ? [element.initial_option] : [],
  );
}

function renderChoices(
  element: Element,
  slot: ElementSlot,
  surface: RenderContext,
  type: 'checkbox' | 'radio',
  initial: readonly Option[],
) {
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
  const restore = ({ options = [] }: FieldSnapshot) => {
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

function row(option: Option, box: HTMLInputElement, surface: RenderContext) {
  const about = option.description && h('small', {}, renderText(option.description, surface));
  return h('label', {}, box, h('span', {}, renderText(option.text, surface), about));
}
