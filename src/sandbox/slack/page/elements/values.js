/** What stands in the elements of a form, as `view.state.values` has it: by block id, then by action id. */

/**
 * @param {HTMLElement} form
 * @returns {Record<string, Record<string, unknown>>}
 */
export function readValues(form) {
  /** @type {Record<string, Record<string, unknown>>} */
  const values = {};
  for (const node of form.querySelectorAll('[data-element]')) {
    const value = readValue(node);
    if (value === undefined) continue;
    const block = node.getAttribute('data-block-id') ?? '';
    const action = node.getAttribute('data-action-id') ?? '';
    values[block] = { ...values[block], [action]: value };
  }
  return values;
}

/**
 * `null` where nothing is given; `undefined` for what holds no value, such as a button.
 * @param {Element} node
 * @returns {unknown}
 */
export function readValue(node) {
  switch (node.getAttribute('data-element')) {
    case 'external_select':
      return node.getAttribute('data-chosen');
    case 'radio_buttons':
      return ticked(node)[0] ?? null;
    case 'checkboxes':
    case 'multi_static_select':
      return ticked(node);
    default:
      return typed(node);
  }
}

/** @param {Element} node */
function ticked(node) {
  return [...node.querySelectorAll('input')].filter((box) => box.checked).map((box) => box.value);
}

/** @param {Element} node */
function typed(node) {
  const isControl =
    node instanceof HTMLInputElement ||
    node instanceof HTMLTextAreaElement ||
    node instanceof HTMLSelectElement;
  if (!isControl) return undefined;
  return node.value === '' ? null : node.value;
}
