/** Reads what a person sees: everything once, then only changes, and never the same thing twice at a time. */
import { api } from '../actions.ts';
import type { Excerpt, Message, SandboxState, State, Unread } from '../types.ts';
import { type createNames, type PageStore, routeName } from './store.ts';

/** Unread messages are counted up to this number. */
const MAX_UNREAD = 100;

function firstNewOf(messages: readonly Message[], readTo: string, { world, me }: State) {
  const id = world?.users.find(({ name }) => name === me)?.id;
  return messages.find(({ ts, user }) => ts > readTo && user !== id)?.ts ?? '';
}

type ReaderParts = {
  store: PageStore;
  clock: { set: (ms: number) => void; now: () => number };
  names: Pick<ReturnType<typeof createNames>, 'learn' | 'meet'>;
};

export function createStateReader(parts: ReaderParts) {
  const { store } = parts;
  const messageCache = createMessageCache();
  const unread = createUnread();
  const { world, views, channel, thread } = createShownReads({ ...parts, messageCache, unread });
  const { elsewhere, note } = createUnreadReads({ store, unread });
  const openId = () => {
    const { conversations, channel, me } = store.get();
    return conversations.find((each) => routeName(each, me) === channel)?.id;
  };
  return {
    /** After something that may have changed anything. */
    async refresh() {
      note(null);
      await Promise.all([world(), views(), channel(), thread()]);
      await elsewhere();
    },
    /** `channels`: ids; null where nobody knows which. */
    async refreshChannels(channels: readonly string[] | null) {
      note(channels);
      const open = openId();
      const isOpenStirred = channels === null || open === undefined || channels.includes(open);
      if (isOpenStirred) await Promise.all([channel(), thread()]);
      await elsewhere();
    },
    refreshWorld: world,
    /** After an action of this person. */
    async refreshHere() {
      await Promise.all([views(), channel(), thread()]);
    },
    refreshThread: thread,
    async readEarlier() {
      const { me, channel } = store.get();
      const read = await messageCache.readEarlier({ user: me, channel });
      const now = store.get();
      if (read && now.me === me && now.channel === channel) store.set(read);
    },
    remembered(me: string, channel: string) {
      messageCache.trim({ user: me, channel });
      const { messages = null, hasEarlier = false } = messageCache.known({ user: me, channel }) ?? {};
      return { messages, hasEarlier };
    },
    rememberedThread: (me: string, channel: string, thread: string) =>
      messageCache.known({ user: me, channel, thread })?.messages ?? null,
    forget: () => messageCache.forget(),
  };
}

function createShownReads({
  store,
  clock,
  names,
  messageCache,
  unread,
}: ReaderParts & {
  messageCache: ReturnType<typeof createMessageCache>;
  unread: ReturnType<typeof createUnread>;
}) {
  const readWorld = async () => {
    const world = await api.state();
    if (!Array.isArray(world.users)) return;
    clock.set(world.clock);
    unread.begin(world, clock.now());
    names.learn(world);
    store.set({ world });
  };

  const readViews = async () => {
    const { me } = store.get();
    if (me === '') return;
    const [views, conversations] = await Promise.all([api.views(me), api.conversations(me)]);
    if (store.get().me !== me) return;
    names.learn(conversations);
    store.set({ modals: views.modals ?? [], home: views.home ?? null, conversations });
  };

  const readChannel = async () => {
    const { me, channel } = store.get();
    if (me === '' || channel === '') return;
    const read = await messageCache.read({ user: me, channel });
    names.meet(read.messages);
    const state = store.get();
    if (state.me !== me || state.channel !== channel) return;
    const firstNew = state.firstNew ?? firstNewOf(read.messages, unread.readTo(me, channel), state);
    if (state.tab === 'messages') unread.saw(me, channel, read.messages);
    store.set({ ...read, firstNew });
  };

  const readThread = async () => {
    const { me, channel, thread } = store.get();
    if (thread === null) return;
    const { messages } = await messageCache.read({ user: me, channel, thread });
    if (store.get().thread === thread && store.get().me === me) store.set({ threadMessages: messages });
  };

  // One read of each kind at a time, so that an older answer never follows a newer one.
  return {
    world: runOnce(readWorld),
    views: runOnce(readViews),
    channel: runOnce(readChannel),
    thread: runOnce(readThread),
  };
}

function createUnreadReads({ store, unread }: { store: PageStore; unread: ReturnType<typeof createUnread> }) {
  /** Channels to check; null: all of them. */
  let changedChannels: Set<string> | null = null;

  const unreadIn = async (world: SandboxState, me: string, channel: string) => {
    const after = unread.readTo(me, channel);
    const { messages = [] } = await api.messages({ user: me, channel, after, limit: MAX_UNREAD });
    const id = world.users.find(({ name }) => name === me)?.id ?? '';
    const groups = world.userGroups.filter(({ users = [] }) => users.includes(id)).map((group) => group.id);
    const own = store.get().conversations.filter(({ kind }) => kind === 'private');
    const isDirect = ![...world.channels, ...own].some(({ name }) => name === channel);
    return countUnread(messages, { id, groups, isDirect });
  };

  const readElsewhere = async () => {
    const { me, channel, world, conversations, unread: before } = store.get();
    if (!world) return;
    const channelsToRead = changedChannels;
    changedChannels = new Set();
    const mine = conversations
      .filter(({ is_member }) => is_member)
      .map((each) => [each.id, routeName(each, me)]);
    const marks = new Map<string, Unread>();
    for (const [id = '', name = ''] of mine) {
      if (name === channel) continue;
      const known = before.get(name);
      const isAsked = channelsToRead === null || channelsToRead.has(id);
      const now = isAsked ? await unreadIn(world, me, name) : known;
      if (now && now.count > 0) marks.set(name, now);
    }
    if (store.get().me === me) store.set({ unread: marks });
  };

  return {
    elsewhere: runOnce(readElsewhere),
    /** Channels whose messages changed; null: nobody knows which. */
    note(channels: readonly string[] | null) {
      if (channels === null) changedChannels = null;
      else for (const id of channels) changedChannels?.add(id);
    },
  };
}

/** Runs `work` now, or once more after the current run, however often it is called meanwhile. */
export function runOnce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = () => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running.then(() => {
      next = null;
      return run();
    });
    return next;
  };
}

/** `channels`: ids; null where nobody knows which. */
type ChangeEvent = { channels: readonly string[] | null; others: boolean };

type ChangeListeners = {
  readonly onChange: (change: ChangeEvent) => void;
  readonly onConnection: (connected: boolean) => void;
};

/** Receives change events from the sandbox. The browser reconnects on its own and sends the last event's id. */
export function listenForChanges({ onChange, onConnection }: ChangeListeners) {
  const source = new EventSource('/sandbox/changes');
  source.addEventListener('change', ({ data }) => onChange(changeIn(data)));
  source.addEventListener('open', () => {
    onConnection(true);
    // Changes other than messages have no cursor, so those during a disconnection were not announced.
    onChange({ channels: [], others: true });
  });
  source.addEventListener('error', () => onConnection(false));
}

function changeIn(data: string): ChangeEvent {
  if (data === '') return { channels: null, others: true };
  return JSON.parse(data);
}

/** Survives a reload of the page; data of another sandbox is ignored. */
const STORAGE_KEY = 'patchbay-read';

type StoredReadMarks = { start: string | null; read: Record<string, string> };

/** What each person has read in each channel. Messages from before the page was first opened count as read. */
function createUnread() {
  let readMarks: StoredReadMarks = { start: null, read: {} };
  let storageKey = '';
  return {
    begin(world: SandboxState, now: number) {
      if (readMarks.start !== null) return;
      storageKey = `${STORAGE_KEY} ${world.slack?.apiUrl ?? ''}`;
      readMarks = stored(storageKey) ?? { start: (now / 1000).toFixed(6), read: {} };
    },
    readTo: (me: string, channel: string) =>
      readMarks.read[`${me}/${channel}`] ?? readMarks.start ?? '0.000000',
    saw(me: string, channel: string, messages: readonly Message[]) {
      const last = messages.at(-1)?.ts;
      if (last === undefined || readMarks.read[`${me}/${channel}`] === last) return;
      readMarks.read[`${me}/${channel}`] = last;
      sessionStorage.setItem(storageKey, JSON.stringify(readMarks));
    },
  };
}

function stored(storageKey: string): StoredReadMarks | null {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? null : JSON.parse(text);
}

/** How many of these messages are new to that person. Replies count if they mention the person. */
function countUnread(
  messages: readonly Message[],
  { id, groups, isDirect }: { id: string; groups: readonly string[]; isDirect: boolean },
): Unread {
  const others = messages.filter(({ user }) => user !== id);
  const calls = others.filter((message) => isDirect || mentions(message, [id, ...groups]));
  const isOwnLine = ({ ts, thread_ts }: Message) => typeof thread_ts !== 'string' || thread_ts === ts;
  const counted = others.filter((message) => isOwnLine(message) || calls.includes(message));
  return { count: counted.length, mentions: calls.length };
}

const EVERYBODY = /<!(?:here|channel|everyone)[|>]|"type":"broadcast"/;

function mentions({ text, blocks = [] }: Message, ids: readonly string[]) {
  const all = `${text} ${JSON.stringify(blocks)}`;
  return (
    EVERYBODY.test(all) ||
    ids.some(
      (id) =>
        all.includes(`<@${id}`) ||
        all.includes(`<!subteam^${id}`) ||
        all.includes(`"user_id":"${id}"`) ||
        all.includes(`"usergroup_id":"${id}"`),
    )
  );
}

/** Messages per read, first and further back. */
const PAGE_SIZE = 100;

type CachedPart = {
  readonly messages: ReadonlyMap<string, Message>;
  readonly hasEarlier: boolean;
  readonly cursor: number;
};
type PartKey = { user: string; channel: string; thread?: string };
type PartQuery = { messages: readonly Message[]; hasEarlier: boolean; problem: string | null };

/** Cached parts of channels and threads, updated with what changed since. */
function createMessageCache() {
  const parts = new Map<string, CachedPart>();
  const keyOf = ({ user, channel, thread = '' }: PartKey) => `${user}/${channel}/${thread}`;
  const orderOf = (which: PartKey) => (which.thread === undefined ? { ...which, replies: false } : which);

  const known = (which: PartKey): PartQuery | null => {
    const part = parts.get(keyOf(which));
    return part ? queryFor(part) : null;
  };
  return {
    known,
    /** Reads the newest messages, or only what changed in the cached ones. */
    async read(which: PartKey): Promise<PartQuery> {
      const before = parts.get(keyOf(which));
      const since = before ? { since: before.cursor } : {};
      const limit = which.thread === undefined ? { limit: PAGE_SIZE } : {};
      const answer = await api.messages({ ...orderOf(which), ...limit, ...since });
      if (!answer.messages)
        return { messages: [], hasEarlier: false, problem: answer.error ?? 'unknown_error' };
      // Earlier messages may have been read meanwhile.
      const now = parts.get(keyOf(which));
      const part = now && answer.whole === false ? updatedPart(now, answer) : partFrom(answer);
      parts.set(keyOf(which), part);
      return queryFor(part);
    },
    async readEarlier(which: PartKey): Promise<PartQuery | null> {
      const first = known(which)?.messages[0];
      if (!first) return null;
      const answer = await api.messages({ ...orderOf(which), before: first.ts, limit: PAGE_SIZE });
      const now = parts.get(keyOf(which));
      if (!answer.messages || !now) return null;
      const earlier = new Map(answer.messages.map((message) => [message.ts, message]));
      const part = {
        ...now,
        messages: new Map([...earlier, ...now.messages]),
        hasEarlier: answer.more === true,
      };
      parts.set(keyOf(which), part);
      return queryFor(part);
    },
    /** Keeps only the newest, so that an open page does not grow without end. */
    trim(which: PartKey) {
      const part = parts.get(keyOf(which));
      if (!part || part.messages.size <= PAGE_SIZE) return;
      const newest = [...part.messages].slice(-PAGE_SIZE);
      parts.set(keyOf(which), { ...part, messages: new Map(newest), hasEarlier: true });
    },
    forget: () => parts.clear(),
  };
}

const queryFor = ({ messages, hasEarlier }: CachedPart): PartQuery => ({
  messages: [...messages.values()],
  hasEarlier,
  problem: null,
});

const partFrom = ({ messages = [], more = false, cursor = 0 }: Excerpt): CachedPart => ({
  messages: new Map(messages.map((message) => [message.ts, message])),
  hasEarlier: more,
  cursor,
});

/** Skips changes before the first cached message: they are read when somebody scrolls that far back. */
function updatedPart(
  { messages, hasEarlier }: CachedPart,
  { messages: changed = [], removed = [], cursor = 0 }: Excerpt,
): CachedPart {
  const first = messages.keys().next().value ?? '';
  const now = new Map(messages);
  let isInOrder = true;
  for (const message of changed) {
    if (hasEarlier && message.ts < first) continue;
    if (!now.has(message.ts)) isInOrder = false;
    now.set(message.ts, message);
  }
  for (const ts of removed) now.delete(ts);
  const ordered = isInOrder ? now : new Map([...now].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { messages: ordered, hasEarlier, cursor };
}
