/** Folds long texts behind "Show more". */
import { h } from '../dom/dom.ts';

/** Slack does not publish when it folds; these limits are close to what its client was seen to do. */
const MAX_LETTERS = 700;
const MAX_LINES = 14;

/** Folds a node that is long; `text` is what it was drawn from. */
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
