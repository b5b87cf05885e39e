/** @import { Element, Slot, Surface } from '../../types.d.ts' */
import { ICONS } from '../../dom.js';
import { plainText } from '../../text/text.js';
import { giveField } from '../fields.js';
import { dispatch, hooks } from '../hooks.js';
import { createPicker } from '../picker/picker.js';
import { readTime, timeOption, times } from './times.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function timepicker(element, slot, surface) {
  const initial = readTime(element.initial_time ?? '');
  const { node, input, field } = createPicker({
    attributes: hooks(element, slot),
    placeholder: plainText(element.placeholder) || 'Select a time',
    source: times,
    initial: initial === null ? [] : [timeOption(initial)],
    drawing: ICONS.clock,
    onChange: () => dispatch(input, { element, slot, surface, value: field.value() }),
  });
  node.classList.add('time-picker');
  giveField(input, field);
  return node;
}
