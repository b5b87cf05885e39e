/** Shared by all interactive elements: their attributes, and sending their actions to the bot. */

import { h } from '../dom/dom.ts';
import { confirmAction } from '../menus/confirm-dialog.ts';
import type { Element, ElementSlot, RenderContext } from '../types.ts';
import { reportValues } from './report-values.ts';

/** Attributes by which tests, redraws and forms find the element. */
export const elementAttributes = (element: Element, slot: ElementSlot) => ({
  'data-action-id': element.action_id ?? '',
  'data-block-id': slot.blockId,
  'data-element': element.type,
  'data-focus-first': element.focus_on_load === true,
  'aria-labelledby': slot.labelledBy ?? null,
  'aria-describedby': slot.describedBy ?? null,
});

type DispatchedAction = {
  element: Element;
  slot: ElementSlot;
  surface: RenderContext;
  value?: unknown;
  /** Called before the bot is told, unless the person declined. */
  onConfirmed?: () => unknown;
};

/** The newest value of an element whose previous one is still being sent. */
const pendingActions = new WeakMap<HTMLElement, DispatchedAction>();

/**
 * Sends the action to the bot, after the element's own confirm dialog. In an input block nothing is sent until the form
 * is submitted. False where the person declined.
 */
export async function dispatchAction(node: HTMLElement, action: DispatchedAction): Promise<boolean> {
  const { element, slot, surface, value } = action;
  if (!slot.dispatches) return true;
  if (node.getAttribute('aria-busy') === 'true') {
    // A second click is dropped; a second value replaces the first.
    if (value !== undefined) pendingActions.set(node, action);
    return true;
  }
  if (element.confirm && !(await confirmAction(element.confirm, surface))) return false;
  action.onConfirmed?.();
  node.setAttribute('aria-busy', 'true');
  clearFailure(node);
  await reportValues(surface);
  const answer = await surface.dispatchAction({
    action_id: element.action_id ?? '',
    block_id: slot.blockId,
    ...(value === undefined ? {} : { value }),
    ...(element.confirm ? { confirm: true } : {}),
  });
  node.removeAttribute('aria-busy');
  if (!answer.ok) showFailure(node, answer.error ?? 'unknown_error', surface);
  const next = pendingActions.get(node);
  pendingActions.delete(node);
  return next ? dispatchAction(node, next) : true;
}

const blockOf = (node: HTMLElement) => node.closest('[data-block]');

export function clearFailure(node: HTMLElement) {
  blockOf(node)?.querySelector(':scope > .failure')?.remove();
}

/** While a confirm dialog was open, the message may have been edited: its element is gone from the page, too. */
function showFailure(node: HTMLElement, error: string, { location: { ts } }: RenderContext) {
  const isGone = error === 'unknown_element';
  const words = isGone
    ? 'This message changed before you answered, so nothing was sent.'
    : `This didn’t work: ${error}`;
  if (node.isConnected) return showErrorText(node, words);
  const body = document.querySelector(`[data-ts="${CSS.escape(ts)}"] .message-body`);
  body?.append(h('p', { class: 'failure', role: 'alert' }, words));
}

export function showErrorText(node: HTMLElement, words: string) {
  clearFailure(node);
  blockOf(node)?.append(h('p', { class: 'failure', role: 'alert' }, words));
}
