/** Fields of the panel's forms. */
/** @import { PanelField } from './panel-forms.js' */

import { h, newId } from '../dom/dom.js';
import { api } from '../state/api.js';

/** A field with its label. @param {PanelField} field */
export function renderField({
  name,
  label,
  value = '',
  placeholder = '',
  options,
  suggestions,
  finds,
  number = false,
}) {
  const id = newId('outside');
  if (options) {
    const choices = options.map((option) => h('option', { value: option }, option));
    return row(id, label, h('select', { id, name, class: 'select' }, ...choices));
  }
  const type = number ? 'number' : 'text';
  const input = h('input', {
    id,
    name,
    type,
    value,
    placeholder,
    class: 'text-input',
    min: number ? 0 : null,
  });
  if (!suggestions) return row(id, label, input);
  input.setAttribute('list', `${id}-list`);
  const list = h(
    'datalist',
    { id: `${id}-list` },
    ...suggestions.map((each) => h('option', { value: each })),
  );
  if (finds === 'devices') findDevices(input, list);
  return row(id, label, input, list);
}

/**
 * Suggests devices whose names contain the typed text.
 * @param {HTMLInputElement} input
 * @param {HTMLDataListElement} list
 */
function findDevices(input, list) {
  input.addEventListener('input', async () => {
    const part = input.value;
    const devices = await api.devices(part);
    if (input.value !== part) return;
    list.replaceChildren(...devices.map(({ value, label }) => h('option', { value }, label)));
  });
}

/**
 * @param {string} id
 * @param {string} label
 * @param {...HTMLElement} controls
 */
const row = (id, label, ...controls) =>
  h('div', { class: 'outside-field' }, h('label', { for: id }, label), ...controls);

/**
 * A field that follows another takes the value for that one, unless a person typed their own.
 * @param {HTMLFormElement} form
 * @param {PanelField} field
 */
export function syncField(form, { name, follows }) {
  const field = form.elements.namedItem(name);
  const followed = follows ? form.elements.namedItem(follows.field) : null;
  if (!follows || !(field instanceof HTMLInputElement && followed instanceof HTMLSelectElement)) return;
  followed.addEventListener('change', () => {
    const usual = Object.values(follows.values);
    if (usual.includes(field.value)) field.value = follows.values[followed.value] ?? field.value;
  });
}
