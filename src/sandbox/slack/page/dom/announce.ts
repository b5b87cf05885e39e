/** Short messages about what just happened, shown at the bottom and read by screen readers. */
import { h } from './dom.ts';

const ANNOUNCE_MS = 5_000;

export function createAnnouncer() {
  const announcer = h('p', { class: 'saying', role: 'status', hidden: true });
  document.body.append(announcer);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (words: string) => {
    clearTimeout(timer);
    announcer.textContent = words;
    announcer.hidden = false;
    timer = setTimeout(() => {
      announcer.hidden = true;
    }, ANNOUNCE_MS);
  };
}
