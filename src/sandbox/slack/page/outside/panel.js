/** The panel "The outside world": what a person can make happen around the bot. */
/** @import { Field, Group, Order, Outcome } from './orders.js' */
import { askConfirm } from '../confirm.js';
import { h, newId } from '../dom.js';
import { GROUPS } from './orders.js';

/**
 * @param {HTMLElement} root
 * @param {{reader: import('../types.d.ts').Reader, onDone: (order: string) => void}} options
 */
export function createOutside(root, { reader, onDone }) {
  const outcome = h('p', { class: 'outcome', role: 'status' });
  /** @param {Order} order @param {HTMLFormElement} form @param {HTMLButtonElement} button */
  const run = async (order, form, button) => {
    if (button.getAttribute('aria-busy') === 'true') return;
    if (order.style === 'danger' && !(await askConfirm(RESET, reader))) return;
    button.setAttribute('aria-busy', 'true');
    outcome.textContent = '';
    const answer = await order.does(enteredIn(form));
    button.removeAttribute('aria-busy');
    outcome.textContent = inWords(order, answer);
    outcome.classList.toggle('failed', answer.ok === false);
    onDone(order.id);
  };
  const bar = h('div', { class: 'outcome-bar' }, outcome);
  root.append(...GROUPS.map((group) => drawGroup(group, run)), bar);
}

const plain = (/** @type {string} */ text) => ({ type: 'plain_text', text });
const RESET = {
  title: plain('Reset the sandbox?'),
  text: plain('All messages, approvals and changes go. The bot starts again with an empty database.'),
  confirm: plain('Reset'),
  deny: plain('Keep'),
  style: 'danger',
};

/**
 * @param {Group} group
 * @param {(order: Order, form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>} run
 */
function drawGroup({ title, about, fields, orders }, run) {
  const form = h('form', { class: 'outside-group', autocomplete: 'off' });
  const buttons = orders.map((order, at) => {
    // The first is what Enter in a field means.
    const type = at === 0 ? 'submit' : 'button';
    const attributes = {
      type,
      class: `button small ${order.style ?? ''}`,
      'data-outside': order.id,
    };
    const button = h('button', attributes, order.label);
    button.addEventListener('click', (event) => {
      event.preventDefault();
      void run(order, form, button);
    });
    return button;
  });
  form.append(
    h('h3', {}, title),
    ...(about ? [h('p', { class: 'about' }, about)] : []),
    ...fields.map(drawField),
    h('div', { class: 'outside-buttons' }, ...buttons),
  );
  return form;
}

/** @param {Field} field */
function drawField({ name, label, value = '', placeholder = '', options, suggestions, number = false }) {
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
  return row(id, label, input, list);
}

/**
 * @param {string} id
 * @param {string} label
 * @param {...HTMLElement} controls
 */
const row = (id, label, ...controls) =>
  h('div', { class: 'outside-field' }, h('label', { for: id }, label), ...controls);

/** @param {HTMLFormElement} form */
function enteredIn(form) {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries);
}

/**
 * @param {Order} order
 * @param {Outcome} answer
 */
function inWords({ label }, answer) {
  if (answer.ok === false) return `${label} failed: ${answer.error ?? 'unknown_error'}`;
  const events = answer.events ?? [];
  if (events.length === 1) return `${label}: done, event ${events[0]}.`;
  return events.length > 1 ? `${label}: done, ${events.length} events.` : `${label}: done.`;
}
