/** What has been entered into the elements of the page: every element that holds a value gives its field here. */
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

/** A person has changed it: only then does the value outlive a redraw. @param {globalThis.Element} node */
export function markTouched(node) {
  node.setAttribute('data-touched', '');
}

/** What stands in the elements of a form, as `view.state.values` has it: by block id, then by action id. */

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
