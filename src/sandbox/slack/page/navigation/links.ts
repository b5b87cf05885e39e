/** Links to places of the page open here, not in another window. */
import type { Tab } from '../types.ts';
import { type Permalink, readAppLink, readPermalink, readUserLink } from './route.ts';

type LinkActions = {
  readonly visit: (hash: string) => void;
  readonly openApp: (tab: Tab) => void;
  readonly openUser: (id: string) => void;
  readonly openArchive: (target: Permalink) => void;
};

export function openLinksInPage({ visit, openApp, openUser, openArchive }: LinkActions) {
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(anchor instanceof HTMLAnchorElement)) return;
    const hash = anchor.getAttribute('href') ?? '';
    const target = readPermalink(anchor.href);
    const tab = readAppLink(anchor.href);
    const user = readUserLink(anchor.href);
    if (target) openArchive(target);
    else if (tab) openApp(tab);
    else if (user !== null) openUser(user);
    else if (hash.startsWith('#') && isPlain(event)) visit(hash);
    // Other paths open Slack (docs.slack.dev/interactivity/deep-linking, “Supported URIs”), which is open already.
    else if (anchor.protocol !== 'slack:') return;
    event.preventDefault();
  });
}

/** With a modifier key, the browser opens another tab or window. */
const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  !(ctrlKey || metaKey || shiftKey || altKey);
