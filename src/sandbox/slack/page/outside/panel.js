/** The panel "The outside world": what a person can make happen around the bot. */
/** @import { Store } from '../store.js' */
/** @import { Group, Order, Outcome } from './orders.js' */
import { askConfirm } from '../confirm.js';
import { h } from '../dom.js';
import { drawField, follow } from './fields.js';
import { createHealth } from './health.js';
import { GROUPS } from './orders.js';

const TICK_MS = 1000;

/**
 * @param {HTMLElement} root
 * @param {{store: Store, reader: import('../types.d.ts').Reader, onDone: (order: string) => void}} options
 */
export function createOutside(root, { store, reader, onDone }) {
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
  const health = createHealth(() => store.get().isOutsideOpen && !document.hidden);
  const bar = h('div', { class: 'outcome-bar' }, outcome);
  root.append(...GROUPS.map((group) => drawGroup(group, run)), health.node, bar);
  const showNow = () => {
    const { world } = store.get();
    for (const { id, now } of GROUPS) {
      const place = root.querySelector(`[data-now="${id}"]`);
      if (world && now && place) showLines(place, now(world, reader.now()));
    }
  };
  store.subscribe(showNow);
  store.subscribe((state, before) => {
    if (state.isOutsideOpen && (state.world !== before.world || !before.isOutsideOpen)) void health.look();
  });
  setInterval(showNow, TICK_MS);
}

/**
 * Left alone while nothing has changed, so that a selection in it stays.
 * @param {Element} place
 * @param {readonly string[]} lines
 */
function showLines(place, lines) {
  const shown = [...place.children].map(({ textContent }) => textContent);
  if (shown.join('\n') !== lines.join('\n')) place.replaceChildren(...lines.map((line) => h('li', {}, line)));
}

const plain = (/** @type {string} */ text) => ({ type: 'plain_text', text });
const RESET = {
  title: plain('Reset the sandbox?'),
  text: plain(
    'This deletes all messages, approvals and changes. The bot restarts with an empty database. The clock isn’t reset.',
  ),
  confirm: plain('Reset'),
  deny: plain('Cancel'),
  style: 'danger',
};

/**
 * @param {Group} group
 * @param {(order: Order, form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>} run
 */
function drawGroup({ id, title, about, now, fields, orders }, run) {
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
    ...(now ? [h('ul', { class: 'outside-now', 'data-now': id })] : []),
    ...fields.map(drawField),
    h('div', { class: 'outside-buttons' }, ...buttons),
  );
  for (const field of fields) follow(form, field);
  return form;
}

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
  if (answer.ok === false) return `${label} failed: ${faultInWords(answer.error ?? 'unknown_error')}`;
  const events = answer.events ?? [];
  if (events.length === 1) return `${label}: done, event ${events[0]}.`;
  return events.length > 1 ? `${label}: done, ${events.length} events.` : `${label}: done.`;
}

/** The codes of the workspace that a person can do something about. @param {string} error */
const faultInWords = (error) =>
  error === 'no_connection' ? 'the bot is disconnected right now. Try again in a moment.' : error;
