/** The page's state: one frozen value, replaced as a whole; subscribers are called after each change. */
import type { Conversation, Message, Names, SandboxState, State } from '../types.ts';

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

/** Names for the ids in messages. */
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
