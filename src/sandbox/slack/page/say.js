/** Short words about what has just happened, said at the lower edge and read out by screen readers. */
import { h } from './dom.js';

const SHOWN_MS = 5_000;

export function createSaying() {
  const place = h('p', { class: 'saying', role: 'status', hidden: true });
  document.body.append(place);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @param {string} words */
  return (words) => {
    clearTimeout(timer);
    place.textContent = words;
    place.hidden = false;
    timer = setTimeout(() => {
      place.hidden = true;
    }, SHOWN_MS);
  };
}
