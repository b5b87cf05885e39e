/** Thumbs up and down below an answer. */

import { h, icon } from '../dom/dom.ts';
import { renderPlainText } from '../text/text-object.ts';
import type { Element, ElementSlot, RenderContext } from '../types.ts';
import { dispatchAction, elementAttributes } from './dispatch-action.ts';

const UP =
  'M7 9v7H4V9zM7 9l3-6c1.5 0 2 1 2 2.2V8h3.5c1 0 1.5.8 1.300 1.700l-1.2 5c-.2.800-.8 1.300-1.600 1.300H7';
const DOWN =
  'M13 11V4h3v7zM13 11l-3 6c-1.5 0-2-1-2-2.2V12H4.5c-1 0-1.5-.8-1.300-1.700l1.2-5c.2-.8.8-1.300 1.600-1.300H13';

/** The clicked button stays marked. */
export function renderFeedbackButtons(element: Element, slot: ElementSlot, surface: RenderContext) {
  const node = h('div', {
    ...elementAttributes(element, slot),
    class: 'feedback',
    role: 'group',
    'aria-label': 'Feedback',
  });
  const sides = [
    { side: element.positive_button, drawing: UP },
    { side: element.negative_button, drawing: DOWN },
  ];
  for (const { side, drawing } of sides) {
    const words = renderPlainText(side?.text);
    const thumb = h(
      'button',
      {
        type: 'button',
        class: 'icon-button small',
        title: words,
        'aria-label': side?.accessibility_label ?? words,
        'aria-pressed': 'false',
      },
      icon(drawing),
    );
    thumb.addEventListener('click', () => {
      for (const each of node.children) each.setAttribute('aria-pressed', String(each === thumb));
      void dispatchAction(node, { element, slot, surface, value: side?.value ?? '' });
    });
    node.append(thumb);
  }
  return node;
}
