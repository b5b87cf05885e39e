/** @import { Element, ElementSlot, RenderContext } from '../../types.d.ts' */
import { ICONS } from '../../dom/dom.js';
import { renderPlainText } from '../../text/text-object.js';
import { dispatchAction, elementAttributes } from '../dispatch-action.js';
import { registerField } from '../field-values.js';
import { createPicker } from '../picker/picker.js';
import { parseTime, timeOption, timesOfDay } from './times.js';

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderTimepicker(element, slot, surface) {
  const initial = parseTime(element.initial_time ?? '');
  const { node, input, field } = createPicker({
    attributes: elementAttributes(element, slot),
    placeholder: renderPlainText(element.placeholder) || 'Select a time',
    source: timesOfDay,
    initial: initial === null ? [] : [timeOption(initial)],
    drawing: ICONS.clock,
    onChange: () => dispatchAction(input, { element, slot, surface, value: field.value() }),
  });
  node.classList.add('time-picker');
  registerField(input, field);
  return node;
}
