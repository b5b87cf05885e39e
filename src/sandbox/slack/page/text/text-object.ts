/** Text objects of both types, and texts that are folded. */

import { h } from '../dom/dom.ts';
import type { TextObject, ViewerContext } from '../types.ts';
import { withEmoji, withSigns } from './emoji.ts';
import { decoded, renderMrkdwn } from './mrkdwn.ts';

/**
 * The content of a plain text: entities decoded (Slack keeps texts escaped), emoji as characters unless switched off.
 */
export function renderPlainText(text: TextObject | string | null | undefined) {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return withEmoji(decoded(text));
  return text.emoji === false ? decoded(text.text) : withEmoji(decoded(text.text));
}

/** The same as a node. */
export const plainNode = (text: TextObject | string | null | undefined) => withSigns(renderPlainText(text));

/** A text object of either type. */
export function renderText(text: TextObject | undefined, reader: ViewerContext): Node {
  return text?.type === 'mrkdwn' ? renderMrkdwn(text.text, reader) : plainNode(text);
}

/** Slack does not publish when it folds a message; these limits are close to what its client was seen to do. */
const MAX_LETTERS = 700;
const MAX_LINES = 14;

/** Folds a node that is longer than that behind “Show more”; `text` is what it was drawn from. */
export function collapsible(node: HTMLElement, text: string): HTMLElement {
  if (text.length <= MAX_LETTERS && text.split('\n').length <= MAX_LINES) return node;
  const button = h('button', { type: 'button', class: 'fold-button', 'aria-expanded': 'false' }, 'Show more');
  const container = h('div', { class: 'fold', 'data-folded': '' }, node, button);
  button.addEventListener('click', () => {
    const isFolded = container.toggleAttribute('data-folded');
    button.textContent = isFolded ? 'Show more' : 'Show less';
    button.setAttribute('aria-expanded', String(!isFolded));
  });
  return container;
}
