/** Which file draws which kind of element. */
/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { picture } from '../picture.js';
import { undrawable } from '../undrawable.js';
import { button } from './button.js';
import { checkboxes, radioButtons } from './choices.js';
import { datepicker } from './dates/datepicker.js';
import { datetimepicker } from './dates/datetimepicker.js';
import { timepicker } from './dates/timepicker.js';
import { remember } from './entries.js';
import { feedbackButtons } from './feedback.js';
import { fieldOf } from './fields.js';
import { fileInput } from './file-input.js';
import { iconButton } from './icon-button.js';
import { overflow } from './overflow.js';
import { richTextInput } from './rich/rich-text-input.js';
import { multiSelect, select } from './select.js';
import { emailInput, numberInput, plainTextInput, urlInput } from './text-input.js';

/** @typedef {(element: Element, slot: Slot, surface: Surface) => HTMLElement} Draw */

/** @type {ReadonlyMap<string, Draw>} */
const drawers = new Map(
  Object.entries({
    button,
    channels_select: select,
    checkboxes,
    conversations_select: select,
    datepicker,
    datetimepicker,
    email_text_input: emailInput,
    external_select: select,
    feedback_buttons: feedbackButtons,
    file_input: fileInput,
    icon_button: iconButton,
    image: (/** @type {Element} */ element) => picture(element),
    multi_channels_select: multiSelect,
    multi_conversations_select: multiSelect,
    multi_external_select: multiSelect,
    multi_static_select: multiSelect,
    multi_users_select: multiSelect,
    number_input: numberInput,
    overflow,
    plain_text_input: plainTextInput,
    radio_buttons: radioButtons,
    rich_text_input: richTextInput,
    static_select: select,
    timepicker,
    url_text_input: urlInput,
    users_select: select,
    workflow_button: button,
  }),
);

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @returns {HTMLElement}
 */
export function drawElement(element, slot, surface) {
  const draw = drawers.get(element.type);
  if (!draw) return undrawable('element', element);
  const drawn = draw(element, slot, surface);
  const node = drawn.matches('[data-element]') ? drawn : drawn.querySelector('[data-element]');
  if (!slot.dispatches && node instanceof HTMLElement && fieldOf(node))
    remember(surface, { node, element, slot });
  return drawn;
}
