/** A field with a toolbar, whose value is a rich text block. */
/** @import { Element, FieldState, Slot, Surface } from '../../types.d.ts' */
import { h, newId } from '../../dom.js';
import { plainText } from '../../text/text.js';
import { giveField, touch } from '../fields.js';
import { dispatch, hooks } from '../hooks.js';
import { drawEditable } from './draw.js';
import { readRichText } from './read.js';
import { createToolbar, onShortcut } from './toolbar.js';

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function richTextInput(element, slot, surface) {
  const placeholder = plainText(element.placeholder);
  const node = h('div', {
    ...hooks(element, slot),
    id: newId('rich'),
    class: 'rich-input',
    contenteditable: 'true',
    role: 'textbox',
    'aria-multiline': 'true',
    'data-placeholder': placeholder || null,
    'aria-label': slot.labelledBy ? null : placeholder || 'Text',
  });
  const value = () => readRichText(node);
  /** @param {FieldState} state */
  const restore = ({ rich }) => {
    node.replaceChildren(...(rich ? drawEditable(rich, surface) : []));
    mark();
  };
  const mark = () => node.toggleAttribute('data-empty', node.textContent === '');
  const on = new Set(element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed']);
  const tell = () => void dispatch(node, { element, slot, surface, value: value() });
  node.addEventListener('input', () => {
    touch(node);
    mark();
    if (slot.dispatches && on.has('on_character_entered')) tell();
  });
  // Only the words of what is pasted or dropped: markup from elsewhere is not Slack's.
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
    tell();
  });
  const initial = typeof element.initial_value === 'object' ? element.initial_value : null;
  restore({ rich: initial });
  giveField(node, { value, state: () => ({ rich: value() }), restore });
  return h('div', { class: 'rich-editor' }, createToolbar(node), node);
}
