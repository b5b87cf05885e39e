/**
 * Keeps what a person typed or chose when a node is rendered again, as Slack does while block and action ids stay the
 * same.
 */

import { fieldHandleOf } from '../elements/field-values.js';

/** Marks an element that a person has changed: only then does its value survive a redraw. */
export function trackInput() {
  for (const kind of ['input', 'change'])
    document.addEventListener(kind, ({ target }) => {
      if (target instanceof Element) target.closest('[data-action-id]')?.setAttribute('data-touched', '');
    });
}

/**
 * @param {Element} before
 * @param {Element} after
 * @param {() => void} swap puts `after` in the place of `before`
 */
export function preserveInput(before, after, swap) {
  for (const old of before.querySelectorAll('[data-action-id][data-touched]')) {
    const now = matchingNode(after, old);
    if (now) copyElement(old, now);
  }
  const focus = focusWithin(before);
  swap();
  if (focus) refocus(after, focus);
}

/**
 * The element with the same block and action id.
 * @param {Element} within
 * @param {Element} old
 */
function matchingNode(within, old) {
  const block = CSS.escape(old.getAttribute('data-block-id') ?? '');
  const action = CSS.escape(old.getAttribute('data-action-id') ?? '');
  return within.querySelector(`[data-block-id="${block}"][data-action-id="${action}"]`);
}

/**
 * @param {Element} old
 * @param {Element} now
 */
function copyElement(old, now) {
  const before = fieldHandleOf(old);
  if (!before || old.getAttribute('data-element') !== now.getAttribute('data-element')) return;
  now.setAttribute('data-touched', '');
  fieldHandleOf(now)?.restore(before.state());
}

/**
 * @param {Element} a
 * @param {Element} b
 */
function isSameControl(a, b) {
  if (isTicked(a) && isTicked(b)) return a.value === b.value;
  return a.tagName === b.tagName;
}

/**
 * @param {Element} node
 * @returns {node is HTMLInputElement}
 */
function isTicked(node) {
  return node instanceof HTMLInputElement && (node.type === 'checkbox' || node.type === 'radio');
}

/**
 * @param {unknown} node
 * @returns {node is HTMLInputElement | HTMLTextAreaElement}
 */
function isTyped(node) {
  return node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement;
}

/** @typedef {{element: Element, control: Element, start: number | null, end: number | null}} Focus */

/**
 * @param {Element} before
 * @returns {Focus | null}
 */
function focusWithin(before) {
  const control = document.activeElement;
  const element = control?.closest('[data-action-id]');
  if (!control || !element || !before.contains(control)) return null;
  const canSelect = control instanceof HTMLTextAreaElement || (isTyped(control) && control.type === 'text');
  return {
    element,
    control,
    start: canSelect ? control.selectionStart : null,
    end: canSelect ? control.selectionEnd : null,
  };
}

/**
 * @param {Element} after
 * @param {Focus} focus
 */
function refocus(after, { element, control, start, end }) {
  const now = matchingNode(after, element);
  const candidates = now ? [now, ...now.querySelectorAll('input, textarea, select, button')] : [];
  const target = candidates.find((node) => node.tagName === control.tagName && isSameControl(control, node));
  if (!(target instanceof HTMLElement)) return;
  target.focus({ preventScroll: true });
  if (start !== null && isTyped(target)) target.setSelectionRange(start, end);
}
