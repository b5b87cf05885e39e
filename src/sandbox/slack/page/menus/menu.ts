/** A button's menu: arrows select, Enter accepts, Escape and a click outside close it. */

import { h, keepPositioned, positionBeside } from '../dom/dom.ts';
import { withSigns } from '../text/emoji.ts';

type MenuItem = { label: string; name?: string; about?: string; hook: string; does: () => void };
/** `isRow`: beside each other. */
type MenuGroup = { title: string; items: readonly MenuItem[]; isRow?: boolean };

/** Groups without items are left out. `side`: the edge of the button that it lines up with. */
export function openMenu(
  anchor: HTMLElement,
  label: string,
  groups: readonly MenuGroup[],
  side: 'start' | 'end' = 'end',
) {
  const menu = h('div', { class: 'actions-menu', popover: 'auto', role: 'menu', 'aria-label': label });
  const shut = () => menu.hidePopover();
  const full = groups.filter(({ items }) => items.length > 0);
  menu.append(...full.map((group) => drawGroup(group, shut)));
  menu.addEventListener('keydown', (event) => moveBy(menu, event));
  menu.addEventListener('toggle', () => {
    if (menu.matches(':popover-open')) return;
    const hadFocus = menu.contains(document.activeElement);
    menu.remove();
    anchor.setAttribute('aria-expanded', 'false');
    if (hadFocus) anchor.focus();
  });
  // Inside the anchor's dialog, if there is one: outside it nothing can be used.
  (anchor.closest('dialog') ?? document.body).append(menu);
  menu.showPopover();
  const position = () => positionBeside(menu, anchor, side);
  position();
  keepPositioned(menu, position);
  anchor.setAttribute('aria-expanded', 'true');
  itemsOf(menu)[0]?.focus();
}

function drawGroup({ title, items, isRow = false }: MenuGroup, shut: () => void) {
  return h(
    'div',
    { role: 'group', class: isRow ? 'actions-row' : null, 'aria-label': title === '' ? null : title },
    title !== '' && !isRow && h('p', { class: 'actions-title', 'aria-hidden': 'true' }, title),
    ...items.map(({ label, name, about, hook, does }) =>
      h(
        'button',
        {
          type: 'button',
          role: 'menuitem',
          class: 'actions-item',
          tabindex: -1,
          'data-menu': hook,
          'aria-label': name ?? null,
          click() {
            shut();
            does();
          },
        },
        h('span', {}, withSigns(label)),
        about !== undefined && about !== '' && h('small', {}, about),
      ),
    ),
  );
}

const itemsOf = (menu: HTMLElement): HTMLElement[] => [...menu.querySelectorAll('button')];

function moveBy(menu: HTMLElement, event: KeyboardEvent) {
  const items = itemsOf(menu);
  const at = items.findIndex((item) => item.matches(':focus'));
  const to = { ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: -1 }[
    event.key
  ];
  if (event.key === 'Escape') {
    event.preventDefault();
    // The key is for the menu only, not for the pane around it.
    event.stopPropagation();
    menu.hidePopover();
  }
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}
