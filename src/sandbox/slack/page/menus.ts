/** The menus of buttons: actions on a message, and the app's shortcuts and commands. */

import type { Page } from './actions.ts';
import { keepBeside } from './kit.ts';
import { html, render } from './preact.ts';
import { emojiCharacter, withSigns } from './text/emoji.ts';
import type { Message, Shortcut } from './types.ts';

type MenuItem = { label: string; name?: string; about?: string; hook: string; does: () => void };
/** `isRow`: beside each other. */
type MenuGroup = { title: string; items: readonly MenuItem[]; isRow?: boolean };

/** A few reactions that people use at work. */
const REACTIONS = ['+1', 'eyes', 'white_check_mark', 'tada', 'thinking_face'];

/** React, reply, copy, and the app's message shortcuts. */
export function openMessageMenu(page: Page, message: Message, anchor: HTMLElement) {
  const { ephemeral, ts, thread_ts } = message;
  const reactions = REACTIONS.map((name) => ({
    label: emojiCharacter(name) ?? name,
    name: `React with ${name.replaceAll('_', ' ')}`,
    hook: `react-${name}`,
    does: () => void react(page, message, name),
  }));
  const reply = {
    label: 'Reply in thread',
    hook: 'reply',
    does: () => page.openThread(thread_ts ?? ts),
  };
  const copy = { label: 'Copy text', hook: 'copy', does: () => void copyText(page, message, anchor) };
  const isReplied = ephemeral || anchor.closest('#thread') !== null;
  openMenu(anchor, 'More actions', [
    { title: 'React', isRow: true, items: ephemeral ? [] : reactions },
    { title: '', items: isReplied ? [copy] : [reply, copy] },
    { title: 'Shortcuts', items: ephemeral ? [] : shortcutItems(page, 'message', ts) },
  ]);
}

/** The lightning menu: the app's global shortcuts, and its commands to start with. */
export function openShortcuts(page: Page, anchor: HTMLElement, begin: (line: string) => void) {
  const commands = page.store.get().commands.map(({ command, description }) => ({
    label: command,
    about: description,
    hook: `command-${command.slice(1)}`,
    does: () => begin(`${command} `),
  }));
  const groups = [
    { title: 'Shortcuts', items: shortcutItems(page, 'global') },
    { title: 'Commands', items: commands },
  ];
  openMenu(anchor, 'Shortcuts and commands', groups, 'start');
}

/** `ts`: the message of a message shortcut. */
function shortcutItems({ store, actions, announce }: Page, kind: Shortcut['type'], ts?: string) {
  const use = async ({ callback_id, name }: Shortcut) => {
    const answer = await actions.shortcut(callback_id, ts);
    if (!answer.ok) announce(`${name} failed with the error ${answer.error ?? 'unknown_error'}`);
  };
  const all = store.get().shortcuts.filter(({ type }) => type === kind);
  return all.map((shortcut) => ({
    label: shortcut.name,
    about: shortcut.description ?? '',
    hook: `shortcut-${shortcut.callback_id}`,
    does: () => void use(shortcut),
  }));
}

/** The same reaction again removes it. */
export async function react({ store, actions, announce }: Page, message: Message, name: string) {
  const { me, world } = store.get();
  const id = world?.users.find((user) => user.name === me)?.id ?? me;
  const isMine = message.reactions?.some((each) => each.name === name && each.users.includes(id)) ?? false;
  const answer = await actions.react(message.ts, name, isMine);
  if (!answer.ok) announce(`Couldn’t react: ${answer.error ?? 'unknown_error'}`);
}

async function copyText({ announce }: Page, message: Message, anchor: HTMLElement) {
  const text = anchor.closest('article')?.querySelector('.content')?.textContent ?? message.text;
  const isDone = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  announce(isDone ? 'Copied.' : 'The browser blocked copying.');
}

/**
 * Arrows select, Enter accepts, Escape and a click outside close. Groups without items are left out. `side`: the edge of
 * the button that it lines up with.
 */
function openMenu(
  anchor: HTMLElement,
  label: string,
  groups: readonly MenuGroup[],
  side: 'start' | 'end' = 'end',
) {
  const place = document.createElement('div');
  document.body.append(place);
  let stop: (() => void) | undefined;
  const onToggle = ({ currentTarget: menu }: Event) => {
    if (!(menu instanceof HTMLElement) || menu.matches(':popover-open')) return;
    const hadFocus = menu.contains(document.activeElement);
    stop?.();
    place.remove();
    anchor.setAttribute('aria-expanded', 'false');
    if (hadFocus) anchor.focus();
  };
  const shut = () => place.querySelector<HTMLElement>('[popover]')?.hidePopover();
  const full = groups.filter(({ items }) => items.length > 0);
  render(
    html`
      <div
        class="actions-menu"
        popover="auto"
        role="menu"
        aria-label=${label}
        onKeyDown=${moveBy}
        onToggle=${onToggle}
      >
        ${full.map((group) => renderGroup(group, shut))}
      </div>`,
    place,
  );
  const menu = place.querySelector<HTMLElement>('[popover]');
  if (!menu) return;
  menu.showPopover();
  stop = keepBeside(menu, anchor, side);
  anchor.setAttribute('aria-expanded', 'true');
  menu.querySelector('button')?.focus();
}

function renderGroup({ title, items, isRow = false }: MenuGroup, shut: () => void) {
  const choose = (item: MenuItem) => () => {
    shut();
    item.does();
  };
  return html`
    <div role="group" class=${isRow ? 'actions-row' : undefined} aria-label=${title || undefined}>
      ${title !== '' && !isRow && html`<p class="actions-title" aria-hidden="true">${title}</p>`}
      ${items.map(
        (item) => html`
          <button
            type="button"
            role="menuitem"
            class="actions-item"
            tabindex="-1"
            data-menu=${item.hook}
            aria-label=${item.name}
            onClick=${choose(item)}
          >
            <span>${withSigns(item.label)}</span>
            ${item.about && html`<small>${item.about}</small>`}
          </button>`,
      )}
    </div>`;
}

function moveBy(event: KeyboardEvent) {
  const { currentTarget: menu, key } = event;
  if (!(menu instanceof HTMLElement)) return;
  const items = [...menu.querySelectorAll('button')];
  const at = items.findIndex((item) => item.matches(':focus'));
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[
    key
  ];
  if (key === 'Escape') {
    event.preventDefault();
    // The key is for the menu only, not for the pane around it.
    event.stopPropagation();
    menu.hidePopover();
  }
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}
