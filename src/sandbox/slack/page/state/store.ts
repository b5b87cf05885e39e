/** The page's state: one frozen value, replaced as a whole; subscribers are called after each change. */
import type { Conversation, Message, Names, SandboxState, State, Tab } from '../types.ts';

type StoreListener = (state: State, before: State) => void;

export function createPageStore(initial: State) {
  let state = initial;
  const listeners: StoreListener[] = [];
  return {
    get: () => state,
    set(change: Partial<State>) {
      const before = state;
      state = { ...state, ...change };
      for (const listener of listeners) listener(state, before);
    },
    subscribe(listener: StoreListener) {
      listeners.push(listener);
    },
  };
}

export type PageStore = ReturnType<typeof createPageStore>;

/** The sandbox's clock as last read, advanced by elapsed time; the machine's time of day is never read. */
export function createSandboxClock() {
  let read = 0;
  let readAt = 0;
  return {
    /** Milliseconds since 1970. */
    set(ms: number) {
      read = ms;
      readAt = performance.now();
    },
    now: () => read + (performance.now() - readAt),
  };
}

/** The app's name in this workspace. */
export const BOT_NAME = 'Patchbay';

export function createNames() {
  let world: SandboxState | null = null;
  let conversations: readonly Conversation[] = [];
  let botId: string | null = null;
  const names: Names & {
    learn: (known: SandboxState | readonly Conversation[]) => void;
    meet: (messages: readonly Message[]) => void;
  } = {
    person(id) {
      if (id === botId || id === BOT_NAME) return BOT_NAME;
      return world?.users.find((user) => user.id === id || user.name === id)?.name ?? id;
    },
    channel: (id) =>
      world?.channels.find((channel) => channel.id === id)?.name ??
      conversations.find((each) => each.id === id)?.name ??
      null,
    group: (id) => world?.userGroups.find((group) => group.id === id)?.handle ?? id,
    learn(known) {
      if ('users' in known) world = known;
      else conversations = known;
    },
    meet(messages) {
      botId ??= messages.find(({ bot }) => bot)?.user ?? null;
    },
  };
  return names;
}

/**
 * The address holds person and place: `#operator/ops`, `#operator/@operator/home`. So reloading keeps them, and Back
 * works. Links to such places open here, not in another window.
 */
type PageRoute = { me: string; channel: string; tab?: Tab };

export function readRoute(hash: string): Partial<PageRoute> {
  const [me, channel, tab] = hash.replace(/^#/, '').split('/').map(decodeSafely);
  const side = tab === 'home' || tab === 'about' ? { tab: tab as Tab } : {};
  return { ...(me ? { me } : {}), ...(channel ? { channel } : {}), ...side };
}

export const routeHash = ({ me, channel, tab = 'messages' }: PageRoute) =>
  `#${[me, channel, ...(tab === 'messages' ? [] : [tab])].map(encodeURIComponent).join('/')}`;

function decodeSafely(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The name in the address and in the control interface. */
export const routeName = ({ name, kind }: Conversation, me: string) => (kind === 'im' ? `@${me}` : name);

/** `channel`: as in the page’s address. */
export const isAppChannel = (channel: string) => channel.startsWith('@');

/** The open conversation, once it is known. */
export const openConversation = ({ conversations, channel, me }: State) =>
  conversations.find((each) => routeName(each, me) === channel);

/** The title of the pane. */
export const pageTitle = ({ channel }: State) => (isAppChannel(channel) ? BOT_NAME : `#${channel}`);

export const channelAddress = (id: string) => `/archives/${id}`;

type Permalink = {
  readonly channelId: string;
  /** Null for a link to a channel. */
  readonly ts: string | null;
  /** The thread of a reply (docs.slack.dev/reference/methods/chat.getPermalink, “Handles message threads”). */
  readonly thread: string | null;
};

/** The channel of a permalink, and the message where it names one; null for any other address. */
function readPermalink({ pathname, searchParams }: URL): Permalink | null {
  const match = /^\/archives\/(\w+)(?:\/p(\d+)(\d{6}))?$/.exec(pathname);
  if (!match) return null;
  const [, channelId = '', seconds, fraction] = match;
  if (seconds === undefined) return { channelId, ts: null, thread: null };
  return { channelId, ts: `${seconds}.${fraction}`, thread: searchParams.get('thread_ts') };
}

/** Whether it leads to the app (docs.slack.dev/interactivity/deep-linking). */
const isAppLink = ({ host, pathname, searchParams }: URL) =>
  host === 'slack.com' && pathname === '/app_redirect' && searchParams.has('app');

type LinkActions = {
  readonly visit: (hash: string) => void;
  readonly openApp: () => void;
  readonly openArchive: (target: Permalink) => void;
};

export function openLinksInPage({ visit, openApp, openArchive }: LinkActions) {
  document.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(anchor instanceof HTMLAnchorElement)) return;
    const hash = anchor.getAttribute('href') ?? '';
    const url = new URL(anchor.href);
    const target = readPermalink(url);
    if (target) openArchive(target);
    else if (isAppLink(url)) openApp();
    else if (hash.startsWith('#') && isPlain(event)) visit(hash);
    else return;
    event.preventDefault();
  });
}

/** With a modifier key, the browser opens another tab or window. */
const isPlain = ({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  !(ctrlKey || metaKey || shiftKey || altKey);
