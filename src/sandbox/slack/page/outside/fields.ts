/** Fields of the panel's forms. */

import { h, newId } from '../dom/dom.ts';
import { api } from '../state/api.ts';
import type { PanelField } from './panel-model.ts';

/** A field with its label. */
export function renderField({
  name,
  label,
  value = '',
  placeholder = '',
  options,
  suggestions,
  finds,
  number = false,
}: PanelField) {
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

/** Suggests devices whose names contain the typed text. */
function findDevices(input: HTMLInputElement, list: HTMLDataListElement) {
  input.addEventListener('input', async () => {
    const part = input.value;
    const devices = await api.devices(part);
    if (input.value !== part) return;
    list.replaceChildren(...devices.map(({ value, label }) => h('option', { value }, label)));
  });
}

const row = (id: string, label: string, ...controls: HTMLElement[]) =>
  h('div', { class: 'outside-field' }, h('label', { for: id }, label), ...controls);

/** A field that follows another takes the value for that one, unless a person typed their own. */
export function syncField(form: HTMLFormElement, { name, follows }: PanelField) {
  const field = form.elements.namedItem(name);
  const followed = follows ? form.elements.namedItem(follows.field) : null;
  if (!follows || !(field instanceof HTMLInputElement && followed instanceof HTMLSelectElement)) return;
  followed.addEventListener('change', () => {
    const usual = Object.values(follows.values);
    if (usual.includes(field.value)) field.value = follows.values[followed.value] ?? field.value;
  });
}
