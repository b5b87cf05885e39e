/** The "⋯" menu. As a popover it is above scrolling panes and dialogs, and Escape or a click elsewhere closes it. */

import { h, ICONS, icon, newId } from '../dom/dom.ts';
import { followLink } from '../text/link.ts';
import { plainNode } from '../text/text-object.ts';
import type { Element, ElementSlot, Option, RenderContext } from '../types.ts';
import { dispatchAction, elementAttributes } from './dispatch-action.ts';
import { positionBeside } from './popover-position.ts';

export function renderOverflow(element: Element, slot: ElementSlot, surface: RenderContext) {
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
        const onConfirmed = () => option.url && followLink(option.url, menu);
        void dispatchAction(node, { element, slot, surface, value: option.value ?? '', onConfirmed });
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

function item(option: Option, choose: () => void) {
  const attributes = { type: 'button', role: 'menuitem', 'data-value': option.value ?? '', click: choose };
  const about = option.description && h('small', {}, plainNode(option.description));
  return h('button', attributes, plainNode(option.text), about);
}

const firstItem = (menu: HTMLElement): HTMLElement | null => menu.querySelector('[role="menuitem"]');

function onKey(event: KeyboardEvent, menu: HTMLElement) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...menu.querySelectorAll('button')];
  const at = items.findIndex((each) => each.matches(':focus'));
  items.at((at + step) % items.length)?.focus();
}
