/** Short messages about what just happened, shown at the bottom and read by screen readers. */
import { h } from './dom.js';

const ANNOUNCE_MS = 5_000;

export function createAnnouncer() {
  const announcer = h('p', { class: 'saying', role: 'status', hidden: true });
  document.body.append(announcer);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @param {string} words */
  return (words) => {
    clearTimeout(timer);
    announcer.textContent = words;
    announcer.hidden = false;
    timer = setTimeout(() => {
      announcer.hidden = true;
    }, ANNOUNCE_MS);
  };
}
