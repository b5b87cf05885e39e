/** Values of the page's elements: every element that holds a value registers its field here. */
/** @import { FieldHandle } from '../types.d.ts' */

/** @type {WeakMap<globalThis.Element, FieldHandle>} */
const handles = new WeakMap();

/**
 * @param {HTMLElement} node the one with the element's names
 * @param {FieldHandle} field
 */
export function registerField(node, field) {
  handles.set(node, field);
}

/** @param {globalThis.Element} node */
export const fieldHandleOf = (node) => handles.get(node);

/**
 * Marks a field that a person has changed: only then does its value survive a redraw.
 * @param {globalThis.Element} node
 */
export function markTouched(node) {
  node.setAttribute('data-touched', '');
}

/** Values of a form's elements, as in `view.state.values`: by block id, then by action id. */

/**
 * @param {HTMLElement} form
 * @returns {Record<string, Record<string, unknown>>}
 */
export function readFormValues(form) {
  /** @type {Record<string, Record<string, unknown>>} */
  const values = {};
  for (const node of form.querySelectorAll('[data-element]')) {
    const field = fieldHandleOf(node);
    if (!field) continue;
    const block = node.getAttribute('data-block-id') ?? '';
    const action = node.getAttribute('data-action-id') ?? '';
    values[block] = { ...values[block], [action]: field.value() };
  }
  return values;
}

/** @param {unknown} value */
export const isEmptyValue = (value) => value === null || (Array.isArray(value) && value.length === 0);
