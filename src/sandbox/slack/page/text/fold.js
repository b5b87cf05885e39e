/** Long texts, folded behind "Show more". */
import { h } from '../dom.js';

/** Slack does not say from what length on it folds; these are near what its client was seen to do. */
const LONG_LETTERS = 700;
const LONG_LINES = 14;

/**
 * @param {HTMLElement} node what may be folded
 * @param {string} text what it was drawn from
 * @returns {HTMLElement}
 */
export function folded(node, text) {
  if (text.length <= LONG_LETTERS && text.split('\n').length <= LONG_LINES) return node;
  const button = h('button', { type: 'button', class: 'fold-button', 'aria-expanded': 'false' }, 'Show more');
  const place = h('div', { class: 'fold', 'data-folded': '' }, node, button);
  button.addEventListener('click', () => {
    const isFolded = place.toggleAttribute('data-folded');
    button.textContent = isFolded ? 'Show more' : 'Show less';
    button.setAttribute('aria-expanded', String(!isFolded));
  });
  return place;
}
