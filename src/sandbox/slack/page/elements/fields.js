/** What has been entered into the elements of the page: every element that holds a value gives its field here. */
/** @import { Field } from '../types.d.ts' */

/** @type {WeakMap<globalThis.Element, Field>} */
const fields = new WeakMap();

/**
 * @param {HTMLElement} node the one with the element's names
 * @param {Field} field
 */
export function giveField(node, field) {
  fields.set(node, field);
}

/** @param {globalThis.Element} node */
export const fieldOf = (node) => fields.get(node);

/** A person has changed it: only then does the value outlive a redraw. @param {globalThis.Element} node */
export function touch(node) {
  node.setAttribute('data-touched', '');
}
