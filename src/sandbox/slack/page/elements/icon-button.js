/** A small button that is only a picture. */
/** @import { Element, Slot, Surface } from '../types.d.ts' */
import { h } from '../dom.js';
import { slackIcon } from '../slack-icon.js';
import { plainText } from '../text/text.js';
import { dispatch, hooks } from './hooks.js';

/**
 * One that is not for these eyes is drawn as nothing at all, as Slack does.
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function iconButton(element, slot, surface) {
  const words = plainText(element.text);
  const isForMe = element.visible_to_user_ids?.includes(surface.me) ?? true;
  const node = h(
    'button',
    {
      ...hooks(element, slot),
      type: 'button',
      class: 'icon-button small',
      title: words,
      'aria-label': element.accessibility_label ?? words,
      hidden: !isForMe,
    },
    slackIcon(element.icon ?? ''),
  );
  node.addEventListener('click', () => void dispatch(node, { element, slot, surface }));
  return node;
}
