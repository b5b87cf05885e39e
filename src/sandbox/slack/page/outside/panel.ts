/** The panel "The outside world": what a person can make happen around the bot. */

import { h } from '../dom/dom.ts';
import { confirmAction } from '../modal/confirm-dialog.ts';
import type { PageStore } from '../state/store.ts';
import type { ViewerContext } from '../types.ts';
import { createBotStatus } from './bot-status.ts';
import { renderField, syncField } from './fields.ts';
import { PANEL_GROUPS } from './panel-forms.ts';
import type { ActionResult, PanelAction, PanelGroup } from './panel-model.ts';

const TICK_MS = 1000;

export function createOutsidePanel(
  root: HTMLElement,
  { store, reader, onDone }: { store: PageStore; reader: ViewerContext; onDone: (action: string) => void },
) {
  const outcome = h('p', { class: 'outcome', role: 'status' });
  const run = async (action: PanelAction, form: HTMLFormElement, button: HTMLButtonElement) => {
    if (button.getAttribute('aria-busy') === 'true') return;
    if (action.style === 'danger' && !(await confirmAction(RESET, reader))) return;
    button.setAttribute('aria-busy', 'true');
    outcome.textContent = '';
    const answer = await action.does(formInputOf(form));
    button.removeAttribute('aria-busy');
    outcome.textContent = resultText(action, answer);
    outcome.classList.toggle('failed', answer.ok === false);
    onDone(action.id);
  };
  const health = createBotStatus(() => store.get().isOutsideOpen && !document.hidden);
  const bar = h('div', { class: 'outcome-bar' }, outcome);
  root.append(...PANEL_GROUPS.map((group) => drawGroup(group, run)), health.node, bar);
  const showNow = () => {
    const { world } = store.get();
    for (const { id, now } of PANEL_GROUPS) {
      const list = root.querySelector(`[data-now="${id}"]`);
      if (world && now && list) showLines(list, now(world, reader.now()));
    }
  };
  store.subscribe(showNow);
  store.subscribe((state, before) => {
    if (state.isOutsideOpen && (state.world !== before.world || !before.isOutsideOpen)) void health.look();
  });
  setInterval(showNow, TICK_MS);
}

/** Unchanged lines are not set again, so that a selection in them stays. */
function showLines(list: Element, lines: readonly string[]) {
  const currentLines = [...list.children].map(({ textContent }) => textContent);
  if (currentLines.join('\n') !== lines.join('\n'))
    list.replaceChildren(...lines.map((line) => h('li', {}, line)));
}

const plain = (text: string) => ({ type: 'plain_text', text });
const RESET = {
  title: plain('Reset the sandbox?'),
  text: plain(
    'This deletes all messages, approvals and changes. The bot restarts with an empty database. The clock isn’t reset.',
  ),
  confirm: plain('Reset'),
  deny: plain('Cancel'),
  style: 'danger',
};

function drawGroup(
  { id, title, about, now, fields, actions }: PanelGroup,
  run: (action: PanelAction, form: HTMLFormElement, button: HTMLButtonElement) => Promise<void>,
) {
  const form = h('form', { class: 'outside-group', autocomplete: 'off' });
  const buttons = actions.map((action, at) => {
    // Enter in a field triggers the first button.
    const type = at === 0 ? 'submit' : 'button';
    const attributes = {
      type,
      class: `button small ${action.style ?? ''}`,
      'data-outside': action.id,
    };
    const button = h('button', attributes, action.label);
    button.addEventListener('click', (event) => {
      event.preventDefault();
      void run(action, form, button);
    });
    return button;
  });
  form.append(
    h('h3', {}, title),
    ...(about ? [h('p', { class: 'about' }, about)] : []),
    ...(now ? [h('ul', { class: 'outside-now', 'data-now': id })] : []),
    ...fields.map(renderField),
    h('div', { class: 'outside-buttons' }, ...buttons),
  );
  for (const field of fields) syncField(form, field);
  return form;
}

function formInputOf(form: HTMLFormElement) {
  const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries);
}

function resultText({ label }: PanelAction, answer: ActionResult) {
  if (answer.ok === false) return `${label} failed: ${errorText(answer.error ?? 'unknown_error')}`;
  const events = answer.events ?? [];
  if (events.length === 1) return `${label}: done, event ${events[0]}.`;
  return events.length > 1 ? `${label}: done, ${events.length} events.` : `${label}: done.`;
}

/** Error codes of the workspace that a person can act on. */
const errorText = (error: string) =>
  error === 'no_connection' ? 'the bot is disconnected right now. Try again in a moment.' : error;
