/** Ctrl+K or ⌘K: jumps to a channel, the app or another person by a few letters of the name. */

import { h } from '../dom/dom.ts';
import { BOT_NAME } from '../state/names.ts';
import type { PageStore } from '../state/store.ts';
import type { State } from '../types.ts';
import { peopleIn, routeName } from './conversation-names.ts';
import { routeHash } from './route.ts';

/** `typed`: the words that find it. */
type SwitcherTarget = { label: string; about: string; href: string; typed: string };

export function createSwitcher({ store, visit }: { store: PageStore; visit: (hash: string) => void }) {
  const { dialog, field, list, none } = switcherDialog();
  let found: readonly SwitcherTarget[] = [];
  let chosen = 0;

  const draw = () => {
    const fitting = switcherTargets(store.get()).filter(({ typed }) => fits(typed, field.value));
    found = [
      ...fitting.filter(({ typed }) => begins(typed, field.value)),
      ...fitting.filter(({ typed }) => !begins(typed, field.value)),
    ];
    chosen = Math.min(chosen, Math.max(found.length - 1, 0));
    list.replaceChildren(...found.map((goal, at) => row(goal, at, at === chosen, () => go(at))));
    none.hidden = found.length > 0;
    if (found.length > 0) field.setAttribute('aria-activedescendant', `goal-${chosen}`);
    else field.removeAttribute('aria-activedescendant');
    list.children[chosen]?.scrollIntoView({ block: 'nearest' });
  };
  const go = (at: number) => {
    const goal = found[at];
    if (!goal) return;
    dialog.close();
    visit(goal.href);
  };
  field.addEventListener('input', () => {
    chosen = 0;
    draw();
  });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') go(chosen);
    else if (event.key === 'ArrowDown') chosen += 1;
    else if (event.key === 'ArrowUp') chosen = Math.max(0, chosen - 1);
    else return;
    event.preventDefault();
    draw();
  });
  const open = () => {
    if (dialog.open) return dialog.close();
    field.value = '';
    chosen = 0;
    dialog.showModal();
    draw();
    field.focus();
  };
  document.addEventListener('keydown', (event) => {
    if (!isSwitcherKey(event)) return;
    event.preventDefault();
    // An open form keeps the keyboard.
    if (dialog.open || !document.querySelector('dialog[open]')) open();
  });
  return { open };
}

function switcherDialog() {
  const list = h('ul', {
    id: 'switcher-list',
    class: 'switcher-list',
    role: 'listbox',
    'aria-label': 'Results',
  });
  const field = h('input', {
    class: 'text-input',
    type: 'text',
    role: 'combobox',
    placeholder: 'Go to a channel or switch person',
    'aria-label': 'Go to a channel or switch person',
    'aria-controls': 'switcher-list',
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const none = h('p', { class: 'empty', hidden: true }, 'No matches.');
  const shut = h('button', { type: 'button', class: 'button small', 'data-switcher-close': '' }, 'Close');
  const dialog = h(
    'dialog',
    { class: 'dialog switcher', 'aria-label': 'Go to' },
    h('div', { class: 'switcher-head' }, field, shut),
    list,
    none,
  );
  document.body.append(dialog);
  shut.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  return { dialog, field, list, none };
}

const isSwitcherKey = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey && !altKey;

function switcherTargets({ world, conversations, me, channel }: State): readonly SwitcherTarget[] {
  const places = conversations.map((each) => {
    const label =
      each.kind === 'im' ? BOT_NAME : each.kind === 'mpim' ? peopleIn(each, world) : `#${each.name}`;
    const about = each.kind === 'im' ? 'app' : each.is_member ? '' : 'not a member';
    return { label, about, href: routeHash({ me, channel: routeName(each, me) }), typed: label };
  });
  const people = (world?.users ?? [])
    .filter(({ name }) => name !== me)
    .map(({ name, role }) => ({
      label: `Switch to ${name}`,
      typed: `Switch to ${name}, be ${name}`,
      about: role,
      href: routeHash({ me: name, channel: channel.startsWith('@') ? `@${name}` : channel }),
    }));
  return [...places, ...people];
}

/** Whether each typed word starts a word of the name; such matches come first. */
function begins(label: string, typed: string) {
  const parts = label.toLowerCase().split(/[^a-z0-9]+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => parts.some((part) => part.startsWith(word)));
}

/** Whether the name contains each typed word. */
function fits(label: string, typed: string) {
  const words = typed.toLowerCase().split(/\s+/);
  return words.every((word) => label.toLowerCase().includes(word));
}

function row({ label, about }: SwitcherTarget, at: number, isChosen: boolean, take: () => void) {
  const attributes = {
    id: `goal-${at}`,
    role: 'option',
    'aria-selected': String(isChosen),
    'data-goal': label,
  };
  return h('li', { ...attributes, click: take }, h('b', {}, label), ' ', h('span', {}, about));
}
