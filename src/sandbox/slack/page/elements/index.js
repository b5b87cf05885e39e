/** Which file draws which kind of element. */
/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { picture } from '../picture.js';
import { undrawable } from '../undrawable.js';
import { button } from './button.js';
import { checkboxes, radioButtons } from './choices.js';
import { externalSelect } from './external-select.js';
import { multiStaticSelect } from './multi-select.js';
import { overflow } from './overflow.js';
import { staticSelect, usersSelect } from './select.js';
import { datepicker, plainTextInput } from './text-input.js';

/** @typedef {(element: Element, slot: Slot, surface: Surface) => HTMLElement} Draw */

/** @type {ReadonlyMap<string, Draw>} */
const drawers = new Map(
  Object.entries({
    button,
    checkboxes,
    datepicker,
    external_select: externalSelect,
    image: (/** @type {Element} */ element) => picture(element),
    multi_static_select: multiStaticSelect,
    overflow,
    plain_text_input: plainTextInput,
    radio_buttons: radioButtons,
    static_select: staticSelect,
    users_select: usersSelect,
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
  return draw ? draw(element, slot, surface) : undrawable('element', element);
}
