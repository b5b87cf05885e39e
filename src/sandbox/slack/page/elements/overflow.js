/** The "⋯" menu. As a popover it is above scrolling panes and dialogs, and Escape or a click elsewhere closes it. */
/** @import { Element, Option, ElementSlot, RenderContext } from '../types.d.ts' */
import { h, ICONS, icon, newId } from '../dom/dom.js';
import { isOpenable } from '../text/link.js';
import { plainNode } from '../text/text-object.js';
import { dispatchAction, elementAttributes } from './dispatch-action.js';
import { positionBeside } from './popover-position.js';

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderOverflow(element, slot, surface) {
  const menuId = newId('menu');
  const node = h(
    'button',
    {
      ...elementAttributes(element, slot),
      type: 'button',
      class: 'button overflow',
      'aria-label': element.accessibility_label ?? 'More actions',
      'aria-haspopup': 'menu',
      popovertarget: menuId,
    },
    icon(ICONS.more),
  );
  const menu = h('div', { id: menuId, class: 'menu', role: 'menu', popover: 'auto' });
  for (const option of element.options ?? [])
    menu.append(
      item(option, () => {
        menu.hidePopover();
        if (option.url && isOpenable(option.url)) window.open(option.url, '_blank', 'noopener');
        void dispatchAction(node, { element, slot, surface, value: option.value ?? '' });
      }),
    );
  menu.addEventListener('toggle', () => {
    if (!menu.matches(':popover-open')) return;
    positionBeside(menu, node, 'end');
    firstItem(menu)?.focus();
  });
  menu.addEventListener('keydown', (event) => onKey(event, menu));
  return h('div', { class: 'overflow-place' }, node, menu);
}

/**
 * @param {Option} option
 * @param {() => void} choose
 */
function item(option, choose) {
  const attributes = { type: 'button', role: 'menuitem', 'data-value': option.value ?? '', click: choose };
  const about = option.description && h('small', {}, plainNode(option.description));
  return h('button', attributes, plainNode(option.text), about);
}

/**
 * @param {HTMLElement} menu
 * @returns {HTMLElement | null}
 */
const firstItem = (menu) => menu.querySelector('[role="menuitem"]');

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} menu
 */
function onKey(event, menu) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll('button')];
  const at = items.findIndex((each) => each.matches(':focus'));
  items.at((at + step) % items.length)?.focus();
}
