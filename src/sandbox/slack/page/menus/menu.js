/** A button's menu: arrows select, Enter accepts, Escape and a click outside close it. */

import { h } from '../dom/dom.js';
import { keepPositioned, positionBeside } from '../elements/popover-position.js';
import { withSigns } from '../text/signs.js';

/** @typedef {{label: string, name?: string, about?: string, hook: string, does: () => void}} MenuItem */
/** @typedef {{title: string, items: readonly MenuItem[], isRow?: boolean}} MenuGroup `isRow`: beside each other */

/**
 * @param {HTMLElement} anchor
 * @param {string} label
 * @param {readonly MenuGroup[]} groups those without items are left out
 * @param {'start' | 'end'} [side] with which edge of the button it lines up
 */
export function openMenu(anchor, label, groups, side = 'end') {
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

/** @param {MenuGroup} group @param {() => void} shut */
function drawGroup({ title, items, isRow = false }, shut) {
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

/** @param {HTMLElement} menu @returns {HTMLElement[]} */
const itemsOf = (menu) => [...menu.querySelectorAll('button')];

/** @param {HTMLElement} menu @param {KeyboardEvent} event */
function moveBy(menu, event) {
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
