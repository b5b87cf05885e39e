/** Shared by all interactive elements: their attributes, and sending their actions to the bot. */
/** @import { Element, ElementSlot, RenderContext } from '../types.d.ts' */

import { h } from '../dom/dom.js';
import { confirmAction } from '../menus/confirm-dialog.js';
import { reportValues } from './report-values.js';

/**
 * Attributes by which tests, redraws and forms find the element.
 * @param {Element} element
 * @param {ElementSlot} slot
 */
export const elementAttributes = (element, slot) => ({
  'data-action-id': element.action_id ?? '',
  'data-block-id': slot.blockId,
  'data-element': element.type,
  'data-focus-first': element.focus_on_load === true,
  'aria-labelledby': slot.labelledBy ?? null,
  'aria-describedby': slot.describedBy ?? null,
});

/** @typedef {{element: Element, slot: ElementSlot, surface: RenderContext, value?: unknown}} DispatchedAction */

/**
 * The newest value of an element whose previous one is still being sent.
 * @type {WeakMap<HTMLElement, DispatchedAction>}
 */
const pendingActions = new WeakMap();

/**
 * Sends the action to the bot, after the element's own confirm dialog. In an input block nothing is sent until the form
 * is submitted.
 * @param {HTMLElement} node
 * @param {DispatchedAction} action
 * @returns {Promise<boolean>} false where the person said no
 */
export async function dispatchAction(node, action) {
  const { element, slot, surface, value } = action;
  if (!slot.dispatches) return true;
  if (node.getAttribute('aria-busy') === 'true') {
    // A second click is dropped; a second value replaces the first.
    if (value !== undefined) pendingActions.set(node, action);
    return true;
  }
  if (element.confirm && !(await confirmAction(element.confirm, surface))) return false;
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
  if (!answer.ok) showFailure(node, answer.error ?? 'unknown_error');
  const next = pendingActions.get(node);
  pendingActions.delete(node);
  return next ? dispatchAction(node, next) : true;
}

/** @param {HTMLElement} node */
const blockOf = (node) => node.closest('[data-block]');

/** @param {HTMLElement} node */
export function clearFailure(node) {
  blockOf(node)?.querySelector(':scope > .failure')?.remove();
}

/**
 * @param {HTMLElement} node
 * @param {string} error
 */
function showFailure(node, error) {
  showErrorText(node, `This didn’t work: ${error}`);
}

/**
 * @param {HTMLElement} node
 * @param {string} words
 */
export function showErrorText(node, words) {
  clearFailure(node);
  blockOf(node)?.append(h('p', { class: 'failure', role: 'alert' }, words));
}
