/** The page as a whole: which panes are open, the clock, and the notice about problems. */

import { ICONS, iconButton, useTick } from './kit.ts';
import { Modals } from './modal.ts';
import { OutsidePanel } from './outside/panel.ts';
import type { Page } from './page.ts';
import { AppPane, renderTabs } from './panes/app-pane.ts';
import { ChannelPane, ThreadPane } from './panes/conversation.ts';
import { renderSidebar } from './panes/sidebar.ts';
import { html, useEffect, useLayoutEffect, useRef } from './preact.ts';
import { pageTitle } from './route.ts';
import { dayAndTime } from './text/dates.ts';
import type { State } from './types.ts';

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
