/** What stands in the elements of a form, as `view.state.values` has it: by block id, then by action id. */
import { fieldOf } from './fields.js';

/**
 * @param {HTMLElement} form
 * @returns {Record<string, Record<string, unknown>>}
 */
export function readValues(form) {
  /** @type {Record<string, Record<string, unknown>>} */
  const values = {};
  for (const node of form.querySelectorAll('[data-element]')) {
    const field = fieldOf(node);
    if (!field) continue;
    const block = node.getAttribute('data-block-id') ?? '';
    const action = node.getAttribute('data-action-id') ?? '';
    values[block] = { ...values[block], [action]: field.value() };
  }
  return values;
}

/** @param {unknown} value */
export const isNothing = (value) => value === null || (Array.isArray(value) && value.length === 0);
