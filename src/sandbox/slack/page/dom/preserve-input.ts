/**
 * Keeps what a person typed or chose when a node is rendered again, as Slack does while block and action ids stay the
 * same.
 */

import { fieldHandleOf, markTouched } from '../elements/field-values.ts';

/** Marks an element that a person has changed: only then does its value survive a redraw. */
export function trackInput() {
  for (const kind of ['input', 'change'])
    document.addEventListener(kind, ({ target }) => {
      const element = target instanceof Element ? target.closest('[data-action-id]') : null;
      if (element) markTouched(element);
    });
}

/** `swap` replaces `before` by `after`. */
export function preserveInput(before: Element, after: Element, swap: () => void) {
  for (const old of before.querySelectorAll('[data-action-id][data-touched]')) {
    const now = matchingNode(after, old);
    if (now) copyElement(old, now);
  }
  const focus = focusWithin(before);
  swap();
  if (focus) refocus(after, focus);
}

/** The element with the same block and action id. */
function matchingNode(within: Element, old: Element) {
  const block = CSS.escape(old.getAttribute('data-block-id') ?? '');
  const action = CSS.escape(old.getAttribute('data-action-id') ?? '');
  return within.querySelector(`[data-block-id="${block}"][data-action-id="${action}"]`);
}

function copyElement(old: Element, now: Element) {
  const before = fieldHandleOf(old);
  if (!before || old.getAttribute('data-element') !== now.getAttribute('data-element')) return;
  markTouched(now);
  fieldHandleOf(now)?.restore(before.state());
}

function isSameControl(a: Element, b: Element) {
  if (isTicked(a) && isTicked(b)) return a.value === b.value;
  return a.tagName === b.tagName;
}

function isTicked(node: Element): node is HTMLInputElement {
  return node instanceof HTMLInputElement && (node.type === 'checkbox' || node.type === 'radio');
}

function isTyped(node: unknown): node is HTMLInputElement | HTMLTextAreaElement {
  return node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement;
}

type Focus = { element: Element; control: Element; start: number | null; end: number | null };

function focusWithin(before: Element): Focus | null {
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

function refocus(after: Element, { element, control, start, end }: Focus) {
  const now = matchingNode(after, element);
  const candidates = now ? [now, ...now.querySelectorAll('input, textarea, select, button')] : [];
  const target = candidates.find((node) => node.tagName === control.tagName && isSameControl(control, node));
  if (!(target instanceof HTMLElement)) return;
  target.focus({ preventScroll: true });
  if (start !== null && isTyped(target)) target.setSelectionRange(start, end);
}
