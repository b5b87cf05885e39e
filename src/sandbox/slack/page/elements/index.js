/** Maps each type of element to its renderer. */
/** @import { Element, ElementSlot, RenderContext } from '../types.d.ts' */
import { renderImageTag } from '../dom/image.js';
import { renderUnsupported } from '../dom/unsupported.js';
import { renderButton, renderIconButton } from './buttons.js';
import { renderCheckboxes, renderRadioButtons } from './choices.js';
import { renderDatepicker, renderDatetimepicker, renderTimepicker } from './date-inputs.js';
import { renderFeedbackButtons } from './feedback.js';
import { fieldHandleOf } from './field-values.js';
import { renderFileInput } from './file-input.js';
import { renderOverflow } from './overflow.js';
import { rememberValue } from './report-values.js';
import { renderRichTextInput } from './rich/rich-text-input.js';
import { renderMultiSelect, renderSelect } from './select.js';
import { renderEmailInput, renderNumberInput, renderPlainTextInput, renderUrlInput } from './text-input.js';

/** @typedef {(element: Element, slot: ElementSlot, surface: RenderContext) => HTMLElement} ElementRenderer */

/** @type {ReadonlyMap<string, ElementRenderer>} */
const RENDERERS = new Map(
  Object.entries({
    button: renderButton,
    channels_select: renderSelect,
    checkboxes: renderCheckboxes,
    conversations_select: renderSelect,
    datepicker: renderDatepicker,
    datetimepicker: renderDatetimepicker,
    email_text_input: renderEmailInput,
    external_select: renderSelect,
    feedback_buttons: renderFeedbackButtons,
    file_input: renderFileInput,
    icon_button: renderIconButton,
    image: (/** @type {Element} */ element) => renderImageTag(element),
    multi_channels_select: renderMultiSelect,
    multi_conversations_select: renderMultiSelect,
    multi_external_select: renderMultiSelect,
    multi_static_select: renderMultiSelect,
    multi_users_select: renderMultiSelect,
    number_input: renderNumberInput,
    overflow: renderOverflow,
    plain_text_input: renderPlainTextInput,
    radio_buttons: renderRadioButtons,
    rich_text_input: renderRichTextInput,
    static_select: renderSelect,
    timepicker: renderTimepicker,
    url_text_input: renderUrlInput,
    users_select: renderSelect,
    workflow_button: renderButton,
  }),
);

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 * @returns {HTMLElement}
 */
export function renderElement(element, slot, surface) {
  const draw = RENDERERS.get(element.type);
  if (!draw) return renderUnsupported('element', element);
  const drawn = draw(element, slot, surface);
  const node = drawn.matches('[data-element]') ? drawn : drawn.querySelector('[data-element]');
  if (!slot.dispatches && node instanceof HTMLElement && fieldHandleOf(node))
    rememberValue(surface, { node, element, slot });
  return drawn;
}
