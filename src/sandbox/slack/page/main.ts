/**
 * The sandbox's Slack workspace in the browser. It uses only the sandbox's control interface, holds one small state,
 * and joins the parts that render it. It decides nothing: every action is posted, and its result is read.
 */
import { createActions } from './actions.ts';
import { createAnnouncer, elementById } from './dom/dom.ts';
import { trackInput } from './dom/keyed-list.ts';
import { createMessageMenu } from './menus/message-menu.ts';
import { createShortcutsMenu } from './menus/shortcuts-menu.ts';
import { createModals } from './modal/modal.ts';
import { openLinksInPage, readRoute, routeHash } from './navigation/route.ts';
import { createSidebar } from './navigation/sidebar.ts';
import { createOutsidePanel } from './outside/panel.ts';
import { createAppPane } from './panes/app-pane.ts';
import { createChannelPane } from './panes/channel-pane.ts';
import { createFrame } from './panes/frame.ts';
import { createThreadPane } from './panes/thread-pane.ts';
import { api } from './state/api.ts';
import { createStateReader, listenForChanges } from './state/state-reader.ts';
import { createNames, createPageStore, createSandboxClock } from './state/store.ts';

const FIRST_PERSON = 'operator';
const FIRST_CHANNEL = 'ops';
const COUNT_MS = 2_000;

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
});
const clock = createSandboxClock();
const names = createNames();
const reader = createStateReader({ store, clock, names });
const { now } = clock;
const actions = createActions({ store, names, now, refresh: reader.refreshHere });
const announce = createAnnouncer();

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
const menu = createMessageMenu({ store, actions, reply: openThread, announce });
createSidebar(elementById('sidebar-content'), { store, go });
const channelPane = createChannelPane({
  store,
  actions,
  now,
  menu,
  openThread,
  readEarlier: reader.readEarlier,
  openShortcuts: (anchor) => openShortcuts(anchor),
});
const openShortcuts = createShortcutsMenu({ store, actions, begin: channelPane.begin, announce });
createAppPane({ store, actions });
const threadPane = createThreadPane({ store, actions, now, menu });
createFrame({ store, now });
createOutsidePanel(elementById('outside-content'), {
  store,
  reader: { names, now },
  onDone(action) {
    if (action === 'reset') reader.forget();
    void reader.refresh();
  },
});
const modals = createModals({
  surfaceOf: actions.viewSurface,
  submit: actions.submit,
  close: actions.close,
});
store.subscribe((state, before) => {
  if (state.modals !== before.modals) modals.show(state.modals);
});

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

trackInput();
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
    if (ts !== null) (thread === null ? channelPane : threadPane).reveal(ts);
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
if (window.matchMedia('(min-width: 721px)').matches) channelPane.focus();
