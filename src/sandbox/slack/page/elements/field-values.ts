/** Values of the page's elements: every element that holds a value registers its field here. */
import type { FieldHandle } from '../types.ts';

const handles = new WeakMap<globalThis.Element, FieldHandle>();

/** `node`: the node with the element's ids. */
export function registerField(node: HTMLElement, field: FieldHandle) {
  handles.set(node, field);
}

export const fieldHandleOf = (node: globalThis.Element) => handles.get(node);

/** Marks a field that a person has changed: only then does its value survive a redraw. */
export function markTouched(node: globalThis.Element) {
  node.setAttribute('data-touched', '');
}

/** Values of a form's elements, as in `view.state.values`: by block id, then by action id. */
export function readFormValues(form: HTMLElement): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = {};
  for (const node of form.querySelectorAll('[data-element]')) {
    const field = fieldHandleOf(node);
    if (!field) continue;
    const block = node.getAttribute('data-block-id') ?? '';
    const action = node.getAttribute('data-action-id') ?? '';
    values[block] = { ...values[block], [action]: field.value() };
  }
  return values;
}

export const isEmptyValue = (value: unknown) =>
  value === null || (Array.isArray(value) && value.length === 0);
