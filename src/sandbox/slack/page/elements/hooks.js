/** What every interactive element has in common: its names in the page, and telling the bot. */
/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { askConfirm } from '../confirm.js';
import { h } from '../dom.js';

/**
 * Attributes by which tests, redraws and forms find the element.
 * @param {Element} element
 * @param {Slot} slot
 */
export const hooks = (element, slot) => ({
  'data-action-id': element.action_id ?? '',
  'data-block-id': slot.blockId,
  'data-element': element.type,
  'aria-labelledby': slot.labelledBy ?? null,
});

/**
 * Tells the bot, after the element's own confirm dialog. In an input block nothing is told until the form is sent.
 * @param {HTMLElement} node
 * @param {{element: Element, slot: Slot, surface: Surface, value?: unknown}} what
 * @returns {Promise<boolean>} false where the person said no
 */
export async function dispatch(node, { element, slot, surface, value }) {
  if (!slot.dispatches || node.getAttribute('aria-busy') === 'true') return true;
  if (element.confirm && !(await askConfirm(element.confirm, surface))) return false;
  node.setAttribute('aria-busy', 'true');
  clearFailure(node);
  const answer = await surface.act({
    action_id: element.action_id ?? '',
    block_id: slot.blockId,
    ...(value === undefined ? {} : { value }),
    ...(element.confirm ? { confirm: true } : {}),
  });
  node.removeAttribute('aria-busy');
  if (!answer.ok) showFailure(node, answer.error ?? 'unknown_error');
  return true;
}

/** @param {HTMLElement} node */
const blockOf = (node) => node.closest('[data-block]');

/** @param {HTMLElement} node */
function clearFailure(node) {
  blockOf(node)?.querySelector(':scope > .failure')?.remove();
}

/**
 * @param {HTMLElement} node
 * @param {string} error
 */
function showFailure(node, error) {
  const words = `This did not work. It failed with the error ${error}`;
  blockOf(node)?.append(h('p', { class: 'failure', role: 'alert' }, words));
}
