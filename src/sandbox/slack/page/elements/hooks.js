/** What every interactive element has in common: its names in the page, and telling the bot. */
/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { askConfirm } from '../confirm.js';
import { h } from '../dom.js';
import { tellEntries } from './entries.js';

/**
 * Attributes by which tests, redraws and forms find the element.
 * @param {Element} element
 * @param {Slot} slot
 */
export const hooks = (element, slot) => ({
  'data-action-id': element.action_id ?? '',
  'data-block-id': slot.blockId,
  'data-element': element.type,
  'data-focus-first': element.focus_on_load === true,
  'aria-labelledby': slot.labelledBy ?? null,
  'aria-describedby': slot.describedBy ?? null,
});

/** @typedef {{element: Element, slot: Slot, surface: Surface, value?: unknown}} Deed */

/** The newest value of an element whose last one is still being told. @type {WeakMap<HTMLElement, Deed>} */
const waiting = new WeakMap();

/**
 * Tells the bot, after the element's own confirm dialog. In an input block nothing is told until the form is sent.
 * @param {HTMLElement} node
 * @param {Deed} deed
 * @returns {Promise<boolean>} false where the person said no
 */
export async function dispatch(node, deed) {
  const { element, slot, surface, value } = deed;
  if (!slot.dispatches) return true;
  if (node.getAttribute('aria-busy') === 'true') {
    // A second press is one too many; a second value is the one that counts.
    if (value !== undefined) waiting.set(node, deed);
    return true;
  }
  if (element.confirm && !(await askConfirm(element.confirm, surface))) return false;
  node.setAttribute('aria-busy', 'true');
  clearFailure(node);
  await tellEntries(surface);
  const answer = await surface.act({
    action_id: element.action_id ?? '',
    block_id: slot.blockId,
    ...(value === undefined ? {} : { value }),
    ...(element.confirm ? { confirm: true } : {}),
  });
  node.removeAttribute('aria-busy');
  if (!answer.ok) showFailure(node, answer.error ?? 'unknown_error');
  const next = waiting.get(node);
  waiting.delete(node);
  return next ? dispatch(node, next) : true;
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
  showWords(node, `This didn’t work: ${error}`);
}

/**
 * @param {HTMLElement} node
 * @param {string} words
 */
export function showWords(node, words) {
  clearFailure(node);
  blockOf(node)?.append(h('p', { class: 'failure', role: 'alert' }, words));
}
