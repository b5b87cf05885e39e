/** The page as a whole: sidebar, panes, tabs of the app, the clock, and the notice about problems. */

import type { Page } from './actions.ts';
import { renderBlocks } from './blocks.ts';
import { ChannelPane, ThreadPane } from './conversation.ts';
import { ICONS, icon, iconButton, useTick } from './kit.ts';
import { avatar } from './message.ts';
import { Modals } from './modal.ts';
import { OutsidePanel } from './outside/panel.ts';
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from './preact.ts';
import { BOT_NAME, isAppChannel, pageTitle, routeHash, routeName } from './state/store.ts';
import { dayAndTime } from './text/dates.ts';
import type { Conversation, SlackView, State, Tab } from './types.ts';

export function App({ page, state }: { page: Page; state: State }) {
  const { store } = page;
  const { isSidebarOpen, isOutsideOpen, thread, saying } = state;
  const isOutsideShown = isOutsideOpen && thread === null;
  const menuButton = useRef<HTMLButtonElement>(null);
  const outsideButton = useRef<HTMLButtonElement>(null);
  const title = pageTitle(state);
  const notice = outOfOrder(state);
  useLayoutEffect(() => {
    document.title = `${title} · Patchbay sandbox`;
  }, [title]);
  const wasOpen = useRef(isOutsideOpen);
  useLayoutEffect(() => {
    const close = document.querySelector('#outside-close');
    if (isOutsideOpen && !wasOpen.current && isNarrow() && close instanceof HTMLElement) close.focus();
    if (!isOutsideOpen && wasOpen.current) outsideButton.current?.focus();
    wasOpen.current = isOutsideOpen;
  }, [isOutsideOpen]);
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !store.get().isSidebarOpen) return;
      store.set({ isSidebarOpen: false });
      menuButton.current?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  // The current place has the same address, so only this click can close the list.
  const onSidebarClick = ({ target }: Event) => {
    if (target instanceof Element && target.closest('[data-channel]')) store.set({ isSidebarOpen: false });
  };
  const menu = {
    id: 'menu-button',
    ref: menuButton,
    class: 'icon-button menu-button',
    'aria-controls': 'sidebar',
    'aria-expanded': isSidebarOpen,
    onClick: () => store.set({ isSidebarOpen: !isSidebarOpen }),
  };
  const close = { id: 'outside-close', onClick: () => store.set({ isOutsideOpen: false }) };
  return html`
    <div class="app">
      <aside
        id="sidebar"
        class="sidebar"
        aria-label="Workspace"
        data-open=${isSidebarOpen ? '' : undefined}
        onClick=${onSidebarClick}
      >
        ${renderSidebar(page, state)}
      </aside>
      <div class="shade" hidden=${!isSidebarOpen} onClick=${() => store.set({ isSidebarOpen: false })} />
      <main class="pane">
        <header class="pane-head">
          ${iconButton('icon-button', 'Channels and people', ICONS.list, menu)}
          <h1 id="channel-title">${title}</h1>
          ${renderTabs(state)}
          <${Clock} page=${page} />
          <button
            id="outside-button"
            ref=${outsideButton}
            class="button small"
            type="button"
            aria-controls="outside"
            aria-expanded=${isOutsideShown}
            onClick=${() => store.set({ isOutsideOpen: !isOutsideOpen, thread: null })}
          >
            The outside world
          </button>
        </header>
        <p class="notice" role="status" hidden=${notice === null}>${notice}</p>
        <${ChannelPane} page=${page} state=${state} />
        <${AppPane} page=${page} state=${state} />
      </main>
      <${ThreadPane} page=${page} state=${state} />
      <aside id="outside" class="side" aria-label="The outside world" hidden=${!isOutsideShown}>
        <header class="pane-head">
          <h2>The outside world</h2>
          ${iconButton('icon-button', 'Close panel', ICONS.close, close)}
        </header>
        <${OutsidePanel} page=${page} state=${state} />
      </aside>
    </div>
    <p class="saying" role="status" hidden=${saying === null}>${saying}</p>
    <${Modals} views=${state.modals} actions=${page.actions} />`;
}

/** Whether the side panes cover the messages. */
const isNarrow = () => window.innerWidth <= 1100;

function outOfOrder({ connected, world }: State) {
  if (!connected) return 'Can’t reach the sandbox. Reconnecting…';
  if (world?.bot.running === false) return 'The bot isn’t running, so nothing will answer.';
  return world?.catchingUp
    ? 'The bot is catching up with the clock. What you do now counts after that.'
    : null;
}

function Clock({ page }: { page: Page }) {
  useTick(1000);
  const words = page.store.get().world && dayAndTime(page.now());
  return html`<span id="clock" class="clock" title="Sandbox time">${words}</span>`;
}

const TABS: readonly (readonly [Tab, string])[] = [
  ['home', 'Home'],
  ['messages', 'Messages'],
  ['about', 'About'],
];

const renderTabs = ({ me, channel, tab: open }: State) => html`
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

/** Tabs of the app: its Home as published for this person, and About. The Messages tab is the channel pane's. */
function AppPane({ page, state }: { page: Page; state: State }) {
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

function renderSidebar({ go }: Page, state: State) {
  const { world, me, channel, conversations } = state;
  const choose = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    const { value } = currentTarget;
    go(value, channel.startsWith('@') ? `@${value}` : channel);
  };
  const links = (...kinds: readonly Conversation['kind'][]) =>
    kinds.flatMap((kind) =>
      conversations.filter((each) => each.kind === kind).map((each) => linkTo(each, state)),
    );
  const roles = [...Map.groupBy(world?.users ?? [], ({ role }) => role)];
  return html`
    <div class="workspace-name">Patchbay sandbox</div>
    <div class="person">
      <span class="face">${world && avatar(me, false)}</span>
      <label for="person">You are</label>
      <select id="person" class="person-switcher" data-person=${world ? me : ''} value=${me} onChange=${choose}>
        ${roles.map(
          ([role, members]) => html`
            <optgroup label=${role}>
              ${members.map(({ name }) => html`<option value=${name} selected=${name === me}>${name}</option>`)}
            </optgroup>`,
        )}
      </select>
    </div>
    <nav aria-label="Channels">
      <h2>Channels</h2>
      <ul>${links('public', 'private')}</ul>
      <h2>Apps</h2>
      <ul>${links('im')}</ul>
    </nav>`;
}

function linkTo(conversation: Conversation, { me, channel: open, unread }: State) {
  const { id, kind, name, is_member } = conversation;
  const channel = routeName(conversation, me);
  const isApp = kind === 'im';
  const { count = 0, mentions = 0 } = (channel === open ? undefined : unread.get(channel)) ?? {};
  return html`
    <li key=${id}>
      <a
        href=${routeHash({ me, channel })}
        class=${is_member ? undefined : 'not-in'}
        title=${is_member ? undefined : 'You aren’t a member'}
        data-channel=${channel}
        data-channel-id=${isApp ? undefined : id}
        data-unread=${count > 0 ? '' : undefined}
        aria-current=${channel === open ? 'page' : undefined}
      >
        <span class="sign" aria-hidden="true">${isApp ? icon(ICONS.plug) : '#'}</span>
        <span class="channel-name">${isApp ? BOT_NAME : name}</span>
        <span class=${mentions > 0 ? 'unread-mark badge' : 'unread-mark'} hidden=${count === 0}>
          ${mentions > 0 && mentions}
          <span class="visually-hidden">${mentions > 0 ? ` for you, ${count} unread` : 'unread'}</span>
        </span>
      </a>
    </li>`;
}
