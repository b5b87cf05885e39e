/** @import { Element, Slot, Surface } from '../../types.d.ts' */
import { plainText } from '../../text/text.js';
import { giveField } from '../fields.js';
import { dispatch, hooks } from '../hooks.js';
import { createDayButton } from './day-button.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function datepicker(element, slot, surface) {
  const { node, button, day, set } = createDayButton({
    attributes: hooks(element, slot),
    placeholder: plainText(element.placeholder) || 'Select a date',
    initial: element.initial_date,
    now: surface.now,
    onChange: (value) => dispatch(button, { element, slot, surface, value }),
  });
  giveField(button, { value: day, state: () => ({ text: day() ?? '' }), restore: ({ text }) => set(text) });
  return node;
}
