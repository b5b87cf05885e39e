/**
 * The sandbox's Slack workspace in the browser. It talks to the sandbox's control interface only, holds one small
 * state, and joins here the parts that draw it. It decides nothing: whatever a person does is posted, and what
 * became of it is read.
 */
import { createActing } from './acting.js';
import { api } from './api.js';
import { createAppPane } from './app-pane.js';
import { watchTouches } from './carry-over.js';
import { createChannelPane } from './channel-pane.js';
import { byId } from './dom.js';
import { createFrame } from './frame.js';
import { createGroupDialog } from './group-dialog.js';
import { watchLinks } from './links.js';
import { createMessageMenu } from './message-menu.js';
import { createModals } from './modal/modal.js';
import { createNames } from './names.js';
import { createOutside } from './outside/panel.js';
import { createReader } from './reader.js';
import { readRoute, routeHash } from './route.js';
import { createSandboxClock } from './sandbox-clock.js';
import { createSaying } from './say.js';
import { createShortcutsMenu } from './shortcuts-menu.js';
import { createSidebar } from './sidebar.js';
import { createStore } from './store.js';
import { listen } from './stream.js';
import { createSwitcher } from './switcher.js';
import { createThreadPane } from './thread-pane.js';

const FIRST_PERSON = 'operator';
const FIRST_CHANNEL = 'ops';
const COUNT_MS = 2_000;

const store = createStore({
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
const reader = createReader({ store, clock, names });
const { now } = clock;
const acting = createActing({ store, names, now, refresh: reader.refreshHere });
const say = createSaying();

/**
 * Shows that place at once: the browser tells of a new address later, and what is typed meanwhile went to the old channel.
 * @param {string} hash
 */
const visit = (hash) => {
  location.hash = hash;
  follow();
};
/** @param {string} me @param {string} channel */
const go = (me, channel) => visit(routeHash({ me, channel }));
/** @param {string} thread */
const openThread = (thread) => {
  const { me, channel } = store.get();
  store.set({ thread, threadMessages: reader.rememberedThread(me, channel, thread) });
  void reader.refreshThread();
};
const menu = createMessageMenu({ store, acting, reply: openThread, say });
const switcher = createSwitcher({ store, visit });
createSidebar(byId('sidebar-content'), {
  store,
  go,
  find: switcher.open,
  startGroup: createGroupDialog({ store, go }),
});
const pane = createChannelPane({
  ...{ store, acting, now, menu, openThread },
  readEarlier: reader.readEarlier,
  openShortcuts: (anchor) => openShortcuts(anchor),
});
const openShortcuts = createShortcutsMenu({ store, acting, begin: pane.begin, say });
createAppPane({ store, acting });
createThreadPane({ store, acting, now, menu });
createFrame({ store, now });
createOutside(byId('outside-content'), {
  store,
  reader: { names, now },
  onDone(order) {
    if (order === 'reset') reader.forget();
    void reader.refresh();
  },
});
const modals = createModals({
  surfaceOf: acting.viewSurface,
  submit: acting.submit,
  close: acting.close,
});
store.subscribe((state, before) => {
  if (state.modals !== before.modals) modals.show(state.modals);
});

/** Takes person and channel from the address; a direct message is always one's own. */
function follow() {
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

/** A request that meets a fault changes nothing that is announced, so faults in sight are counted again. */
setInterval(() => {
  const { world, isOutsideOpen } = store.get();
  if (isOutsideOpen && (world?.faults ?? []).length > 0) void reader.refreshWorld();
}, COUNT_MS);

watchTouches();
watchLinks({
  visit,
  openMessage({ channelId, ts }) {
    const { me, world, conversations } = store.get();
    const own = conversations.filter(({ kind }) => kind === 'private');
    const channel = [...(world?.channels ?? []), ...own].find(({ id }) => id === channelId)?.name;
    go(me, channel ?? `@${me}`);
    pane.reveal(ts);
  },
});
window.addEventListener('hashchange', follow);
follow();
listen({
  onChange: ({ channels, others }) => void (others ? reader.refresh() : reader.refreshChannels(channels)),
  onConnection(connected) {
    store.set({ connected });
    if (connected) void readOffers();
  },
});
if (window.matchMedia('(min-width: 721px)').matches) pane.focus();
