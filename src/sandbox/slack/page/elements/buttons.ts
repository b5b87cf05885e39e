import { h } from '../dom/dom.ts';
import { slackIcon } from '../emoji/slack-icon.ts';
import { followLink, isOpenable } from '../text/link.ts';
import { plainNode, renderPlainText } from '../text/text-object.ts';
import type { Element, ElementSlot, RenderContext } from '../types.ts';
import { dispatchAction, elementAttributes } from './dispatch-action.ts';

/**
 * A button; one with a URL opens it and also tells the bot, as in Slack. A confirm dialog comes first: it is for the
 * action as a whole (docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object).
 */
export function renderButton(element: Element, slot: ElementSlot, surface: RenderContext) {
  const style = element.style === 'primary' || element.style === 'danger' ? element.style : '';
  const attributes = {
    ...elementAttributes(element, slot),
    class: `button ${style}`.trim(),
    'aria-label': element.accessibility_label ?? null,
  };
  const label = h('span', { class: 'button-words' }, plainNode(element.text));
  const { url, confirm } = element;
  const node =
    url && !confirm && isOpenable(url)
      ? h('a', { ...attributes, href: url, target: '_blank', rel: 'noopener noreferrer' }, label)
      : h('button', { ...attributes, type: 'button' }, label);
  const onConfirmed = () => url && confirm && followLink(url, node.parentElement ?? document.body);
  node.addEventListener('click', () => void dispatchAction(node, { element, slot, surface, onConfirmed }));
  return node;
}

/** A small button with only an icon. One that this person may not see is hidden, as in Slack. */
export function renderIconButton(element: Element, slot: ElementSlot, surface: RenderContext) {
  const words = renderPlainText(element.text);
  const isForMe = element.visible_to_user_ids?.includes(surface.me) ?? true;
  const node = h(
    'button',
    {
      ...elementAttributes(element, slot),
      type: 'button',
      class: 'icon-button small',
      title: words,
      'aria-label': element.accessibility_label ?? words,
      hidden: !isForMe,
    },
    slackIcon(element.icon ?? ''),
  );
  node.addEventListener('click', () => void dispatchAction(node, { element, slot, surface }));
  return node;
}
