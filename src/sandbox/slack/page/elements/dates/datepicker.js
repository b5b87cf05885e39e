/** @import { Element, ElementSlot, RenderContext } from '../../types.d.ts' */
import { renderPlainText } from '../../text/text-object.js';
import { dispatchAction, elementAttributes } from '../dispatch-action.js';
import { registerField } from '../field-values.js';
import { createDayButton } from './day-button.js';

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderDatepicker(element, slot, surface) {
  const { node, button, day, set } = createDayButton({
    attributes: elementAttributes(element, slot),
    placeholder: renderPlainText(element.placeholder) || 'Select a date',
    initial: element.initial_date,
    now: surface.now,
    onChange: (value) => dispatchAction(button, { element, slot, surface, value }),
  });
  registerField(button, {
    value: day,
    state: () => ({ text: day() ?? '' }),
    restore: ({ text }) => set(text),
  });
  return node;
}
