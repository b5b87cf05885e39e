/** A field with a toolbar, whose value is a rich text block. */
/** @import { Element, FieldSnapshot, ElementSlot, RenderContext } from '../../types.d.ts' */
import { h, newId } from '../../dom/dom.js';
import { renderPlainText } from '../../text/text-object.js';
import { dispatchAction, elementAttributes } from '../dispatch-action.js';
import { markTouched, registerField } from '../field-values.js';
import { readRichText } from './read-rich.js';
import { renderEditable } from './render-rich.js';
import { createToolbar, onShortcut } from './toolbar.js';

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderRichTextInput(element, slot, surface) {
  const placeholder = renderPlainText(element.placeholder);
  const node = h('div', {
    ...elementAttributes(element, slot),
    id: newId('rich'),
    class: 'rich-input',
    contenteditable: 'true',
    role: 'textbox',
    'aria-multiline': 'true',
    'data-placeholder': placeholder || null,
    'aria-label': slot.labelledBy ? null : placeholder || 'Text',
  });
  const value = () => readRichText(node);
  /** @param {FieldSnapshot} state */
  const restore = ({ rich }) => {
    node.replaceChildren(...(rich ? renderEditable(rich, surface) : []));
    mark();
  };
  const mark = () => node.toggleAttribute('data-empty', node.textContent === '');
  const on = new Set(element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed']);
  const sendValue = () => void dispatchAction(node, { element, slot, surface, value: value() });
  node.addEventListener('input', () => {
    markTouched(node);
    mark();
    if (slot.dispatches && on.has('on_character_entered')) sendValue();
  });
  // Pastes and drops plain text only: foreign markup is not Slack's.
  node.addEventListener('paste', (event) => {
    event.preventDefault();
    document.execCommand('insertText', false, event.clipboardData?.getData('text/plain') ?? '');
  });
  node.addEventListener('drop', (event) => event.preventDefault());
  node.addEventListener('keydown', (event) => {
    if (onShortcut(event)) return;
    const isTold = slot.dispatches && on.has('on_enter_pressed') && event.key === 'Enter' && !event.shiftKey;
    if (!isTold || event.isComposing) return;
    event.preventDefault();
    sendValue();
  });
  const initial = typeof element.initial_value === 'object' ? element.initial_value : null;
  restore({ rich: initial });
  registerField(node, { value, state: () => ({ rich: value() }), restore });
  return h('div', { class: 'rich-editor' }, createToolbar(node), node);
}
