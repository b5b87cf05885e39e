/** Tabs of the app: its Home as published for this person, and About. The Messages tab is the channel pane's. */

import { renderBlocks } from '../blocks.ts';
import type { Page } from '../page.ts';
import { html, useEffect, useMemo, useState } from '../preact.ts';
import { isAppChannel, routeHash } from '../route.ts';
import { BOT_NAME } from '../state/store.ts';
import type { SlackView, State, Tab } from '../types.ts';

const TABS: readonly (readonly [Tab, string])[] = [
  ['home', 'Home'],
  ['messages', 'Messages'],
  ['about', 'About'],
];

export const renderTabs = ({ me, channel, tab: open }: State) => html`
  <nav id="tabs" class="tabs" aria-label="App tabs" hidden=${!isAppChannel(channel)}>
    ${TABS.map(
      ([tab, label]) => html`
        <a
          href=${routeHash({ me, channel, tab })}
          class="tab"
          data-tab=${tab}
          aria-current=${tab === open ? 'page' : undefined}
        >
          ${label}
        </a>`,
    )}
  </nav>`;

export function AppPane({ page, state }: { page: Page; state: State }) {
  const { me, channel, tab, home } = state;
  const isApp = isAppChannel(channel);
  /** Why the app has no Home. */
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    if (!isApp || tab === 'about') return;
    void page.actions.openApp(tab).then(({ ok, error = 'unknown_error' }) => {
      if (tab === 'home') setRefusal(ok ? null : error);
    });
  }, [me, channel, tab]);
  const published = home && html`<${Home} key=${`${me} ${home.id}`} page=${page} view=${home} />`;
  const nothing = html`
    <div class="home-blocks" data-home=""><p class="empty">${emptyHomeText(refusal)}</p></div>`;
  return html`
    <section id="home" class="app-side" aria-label="Home" hidden=${!isApp || tab !== 'home'}>
      ${home ? published : nothing}
    </section>
    <section id="about" class="app-side about-app" aria-label="About" hidden=${!isApp || tab !== 'about'}>
      ${renderAbout(state)}
    </section>`;
}

function Home({ page, view }: { page: Page; view: SlackView }) {
  const surface = useMemo(() => page.actions.viewSurface(view), []);
  return html`
    <div class="home-blocks" data-home=${view.id}>
      ${renderBlocks({ blocks: view.blocks ?? [], surface })}
    </div>`;
}

function emptyHomeText(refusal: string | null) {
  if (refusal === null) return `${BOT_NAME} hasn’t published a Home tab for you.`;
  if (refusal === 'home_tab_disabled') return `${BOT_NAME}’s manifest turns the Home tab off.`;
  return `Couldn’t open the Home tab: ${refusal}`;
}

function renderAbout({ commands, shortcuts }: State) {
  const rows = [
    ...commands.map(({ command, usageHint, description }) => ({
      name: command,
      words: [description, usageHint],
    })),
    ...shortcuts.map(({ name, type, description = '' }) => {
      const isGlobal = type === 'global';
      const where = isGlobal
        ? 'Global shortcut, in the shortcuts menu'
        : 'Message shortcut, in a message’s menu';
      return { name, words: [description, where] };
    }),
  ];
  return html`
    <h2>About ${BOT_NAME}</h2>
    <p>An app in this workspace. Its manifest lists:</p>
    <dl>
      ${rows.map(
        ({ name, words }) => html`
          <dt>${name}</dt>
          ${words.filter((each) => each !== '').map((each) => html`<dd>${each}</dd>`)}`,
      )}
    </dl>`;
}
