/** The frame around the panes: which are open, the clock, and the notice about problems. */

import { elementById } from '../dom/dom.ts';
import type { PageStore } from '../state/store.ts';
import { dayAndTime } from '../text/dates.ts';
import type { State } from '../types.ts';

export function createFrame({ store, now }: { store: PageStore; now: () => number }) {
  const menu = elementById('menu-button');
  const world = elementById('outside-button');
  const shade = elementById('shade');
  menu.addEventListener('click', () => store.set({ isSidebarOpen: !store.get().isSidebarOpen }));
  shade.addEventListener('click', () => store.set({ isSidebarOpen: false }));
  elementById('sidebar').addEventListener('click', ({ target }) => {
    // The current place has the same address, so only this click can close the list.
    if (target instanceof Element && target.closest('[data-channel]')) store.set({ isSidebarOpen: false });
  });
  world.addEventListener('click', () =>
    store.set({ isOutsideOpen: !store.get().isOutsideOpen, thread: null }),
  );
  elementById('outside-close').addEventListener('click', () => store.set({ isOutsideOpen: false }));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !store.get().isSidebarOpen) return;
    store.set({ isSidebarOpen: false });
    menu.focus();
  });
  store.subscribe((state, before) => {
    const isOutsideShown = state.isOutsideOpen && state.thread === null;
    elementById('sidebar').toggleAttribute('data-open', state.isSidebarOpen);
    if (state.isOutsideOpen && !before.isOutsideOpen && isNarrow()) elementById('outside-close').focus();
    if (!state.isOutsideOpen && before.isOutsideOpen) world.focus();
    shade.hidden = !state.isSidebarOpen;
    menu.setAttribute('aria-expanded', String(state.isSidebarOpen));
    elementById('outside').hidden = !isOutsideShown;
    world.setAttribute('aria-expanded', String(isOutsideShown));
    const words = outOfOrder(state);
    elementById('notice').textContent = words;
    elementById('notice').hidden = words === '';
  });
  const tick = () => {
    elementById('clock').textContent = store.get().world ? dayAndTime(now()) : '';
  };
  store.subscribe(tick);
  setInterval(tick, 1000);
}

/** Whether the side panes cover the messages. */
const isNarrow = () => window.innerWidth <= 1100;

function outOfOrder({ connected, world }: State) {
  if (!connected) return 'Can’t reach the sandbox. Reconnecting…';
  if (world?.bot.running === false) return 'The bot isn’t running, so nothing will answer.';
  return world?.catchingUp ? 'The bot is catching up with the clock. What you do now counts after that.' : '';
}
