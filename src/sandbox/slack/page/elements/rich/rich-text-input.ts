/** A field with a toolbar, whose value is a rich text block. */

import { h, newId } from '../../dom/dom.ts';
import { renderPlainText } from '../../text/text-object.ts';
import type { Element, ElementSlot, FieldSnapshot, RenderContext } from '../../types.ts';
import { dispatchAction, elementAttributes } from '../dispatch-action.ts';
import { markTouched, registerField } from '../field-values.ts';
import { readRichText } from './read-rich.ts';
import { renderEditable } from './render-rich.ts';
import { createToolbar, onShortcut } from './toolbar.ts';

/** The page's own; the other is docs.slack.dev/reference/block-kit/block-elements/rich-text-input-element. */
const LEAST_LINES = 3;
const MOST_LINES = 8;

export function renderRichTextInput(element: Element, slot: ElementSlot, surface: RenderContext) {
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
  const { min_lines: least = LEAST_LINES, max_lines: most = Math.max(MOST_LINES, least) } = element;
  node.style.setProperty('--least-lines', String(Math.min(least, most)));
  node.style.setProperty('--most-lines', String(most));
  const value = () => readRichText(node);
  const restore = ({ rich }: FieldSnapshot) => {
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
