/**
 * The sandbox's Slack workspace in the browser. It uses only the sandbox's control interface, holds one small state,
 * and joins the parts that render it. It decides nothing: every action is posted, and its result is read.
 */
import { api, createActions, type Page } from './actions.ts';
import { App } from './app.ts';
import { html, render } from './preact.ts';
import { createStateReader, listenForChanges } from './state/state-reader.ts';
import {
  createNames,
  createPageStore,
  createSandboxClock,
  openLinksInPage,
  readRoute,
  routeHash,
} from './state/store.ts';

const FIRST_PERSON = 'operator';
const FIRST_CHANNEL = 'ops';
const COUNT_MS = 2_000;
const ANNOUNCE_MS = 5_000;

const store = createPageStore({
  world: null,
  commands: [],
  shortcuts: [],
  conversations: [],
  me: '',
  channel: '',
  tab: 'messages',
  messages: null,
  hasEarlier: false,
  firstNew: null,
  modals: [],
  home: null,
  thread: null,
  threadMessages: null,
  unread: new Map(),
  connected: true,
  problem: null,
  isSidebarOpen: false,
  isOutsideOpen: window.innerWidth >= 1200,
  saying: null,
});
const clock = createSandboxClock();
const names = createNames();
const reader = createStateReader({ store, clock, names });
const { now } = clock;
const actions = createActions({ store, names, now, refresh: reader.refreshHere });
let announced: ReturnType<typeof setTimeout> | undefined;
const announce = (saying: string) => {
  clearTimeout(announced);
  store.set({ saying });
  announced = setTimeout(() => store.set({ saying: null }), ANNOUNCE_MS);
};

/**
 * Shows that place at once: the browser reports a new address later, and text typed meanwhile went to the old channel.
 */
const visit = (hash: string) => {
  location.hash = hash;
  followRoute();
};
const go = (me: string, channel: string) => visit(routeHash({ me, channel }));
const openThread = (thread: string) => {
  const { me, channel } = store.get();
  store.set({ thread, threadMessages: reader.rememberedThread(me, channel, thread) });
  void reader.refreshThread();
};
const page: Page = {
  store,
  actions,
  names,
  now,
  announce,
  go,
  openThread,
  readEarlier: reader.readEarlier,
  sought: { channel: null, thread: null },
  onOutside(action) {
    if (action === 'reset') reader.forget();
    void reader.refresh();
  },
};
store.subscribe((state) => render(html`<${App} page=${page} state=${state} />`, document.body));

/** Reads person and channel from the address; a direct message is always the person's own. */
function followRoute() {
  const { me = FIRST_PERSON, channel = FIRST_CHANNEL, tab = 'messages' } = readRoute(location.hash);
  const own = channel.startsWith('@') ? `@${me}` : channel;
  const before = store.get();
  if (before.me === me && before.channel === own && before.tab === tab) return;
  const isSamePlace = before.me === me && before.channel === own;
  store.set({
    me,
    channel: own,
    tab,
    ...(isSamePlace ? {} : { ...reader.remembered(me, own), firstNew: null, thread: null, problem: null }),
    isSidebarOpen: false,
    ...(before.me === me ? {} : { modals: [], home: null, unread: new Map(), conversations: [] }),
  });
  void reader.refresh();
}

async function readOffers() {
  const [commands, shortcuts] = await Promise.all([api.commands(), api.shortcuts()]);
  store.set({ commands, shortcuts });
  document.body.dataset['offers'] = 'read';
}

/** A request that meets a fault causes no event, so visible faults are polled. */
setInterval(() => {
  const { world, isOutsideOpen } = store.get();
  if (isOutsideOpen && (world?.faults ?? []).length > 0) void reader.refreshWorld();
}, COUNT_MS);

openLinksInPage({
  visit,
  openApp() {
    const { me } = store.get();
    go(me, `@${me}`);
  },
  openArchive({ channelId, ts, thread }) {
    const { me, world, conversations } = store.get();
    const own = conversations.filter(({ kind }) => kind === 'private');
    const channel = [...(world?.channels ?? []), ...own].find(
      ({ id, name }) => id === channelId || name === channelId,
    );
    go(me, channel?.name ?? `@${me}`);
    if (thread !== null) openThread(thread);
    page.sought[thread === null ? 'channel' : 'thread'] = ts;
    store.set({});
  },
});
window.addEventListener('hashchange', followRoute);
followRoute();
listenForChanges({
  onChange: ({ channels, others }) => void (others ? reader.refresh() : reader.refreshChannels(channels)),
  onConnection(connected) {
    store.set({ connected });
    if (connected) void readOffers();
  },
});
const composer = document.querySelector('[data-composer]');
if (composer instanceof HTMLElement && window.matchMedia('(min-width: 721px)').matches) composer.focus();
