/** Maps each type of element to its renderer. */

import { renderImageTag } from '../dom/image.ts';
import { renderUnsupported } from '../dom/unsupported.ts';
import type { Element, ElementSlot, RenderContext } from '../types.ts';
import { renderButton, renderIconButton } from './buttons.ts';
import { renderCheckboxes, renderRadioButtons } from './choices.ts';
import { renderDatepicker, renderDatetimepicker, renderTimepicker } from './date-inputs.ts';
import { renderFeedbackButtons } from './feedback.ts';
import { fieldHandleOf } from './field-values.ts';
import { renderFileInput } from './file-input.ts';
import { renderOverflow } from './overflow.ts';
import { rememberValue } from './report-values.ts';
import { renderRichTextInput } from './rich/rich-text-input.ts';
import { renderMultiSelect, renderSelect } from './select.ts';
import { renderEmailInput, renderNumberInput, renderPlainTextInput, renderUrlInput } from './text-input.ts';

type ElementRenderer = (element: Element, slot: ElementSlot, surface: RenderContext) => HTMLElement;

const RENDERERS: ReadonlyMap<string, ElementRenderer> = new Map(
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
    image: (element, _slot, { me }) => renderImageTag(element, me),
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

export function renderElement(element: Element, slot: ElementSlot, surface: RenderContext): HTMLElement {
  const draw = RENDERERS.get(element.type);
  if (!draw) return renderUnsupported('element', element);
  const drawn = draw(element, slot, surface);
  const node = drawn.matches('[data-element]') ? drawn : drawn.querySelector('[data-element]');
  if (!slot.dispatches && node instanceof HTMLElement && fieldHandleOf(node))
    rememberValue(surface, { node, element, slot });
  return drawn;
}
