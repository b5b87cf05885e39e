/** Folds long texts behind "Show more". */
import { h } from '../dom/dom.ts';

/** Slack does not publish when it folds a message; these limits are close to what its client was seen to do. */
const MESSAGE = { letters: 700, lines: 14 };

/**
 * “If it contains 700+ characters or 5+ line breaks” (@slack/types 3.2, MessageAttachment;
 * docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments).
 */
export const ATTACHMENT_TEXT = { letters: 699, lines: 5 };

/** Folds a node that is longer than that; `text` is what it was drawn from. */
export function collapsible(node: HTMLElement, text: string, { letters, lines } = MESSAGE): HTMLElement {
  if (text.length <= letters && text.split('\n').length <= lines) return node;
  const button = h('button', { type: 'button', class: 'fold-button', 'aria-expanded': 'false' }, 'Show more');
  const container = h('div', { class: 'fold', 'data-folded': '' }, node, button);
  button.addEventListener('click', () => {
    const isFolded = container.toggleAttribute('data-folded');
    button.textContent = isFolded ? 'Show more' : 'Show less';
    button.setAttribute('aria-expanded', String(!isFolded));
  });
  return container;
}
