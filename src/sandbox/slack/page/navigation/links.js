/** Links to places of the page open here, not in another window. */
import { readPermalink } from './route.js';

/**
 * @param {{visit: (hash: string) => void, openMessage: (target: {channelId: string, ts: string}) => void}} parts
 */
export function openLinksInPage({ visit, openMessage }) {
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(anchor instanceof HTMLAnchorElement)) return;
    const hash = anchor.getAttribute('href') ?? '';
    const target = readPermalink(anchor.href);
    if (target) openMessage(target);
    else if (hash.startsWith('#') && isPlain(event)) visit(hash);
    else return;
    event.preventDefault();
  });
}

/** With a modifier key, the browser opens another tab or window. @param {MouseEvent} event */
const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }) => !(ctrlKey || metaKey || shiftKey || altKey);
