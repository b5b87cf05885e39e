/** Cached parts of channels and threads, updated with what changed since. */
import type { Excerpt, Message } from '../types.ts';
import { api } from './api.ts';

/** Messages per read, first and further back. */
const PAGE_SIZE = 100;

type CachedPart = {
  readonly messages: ReadonlyMap<string, Message>;
  readonly hasEarlier: boolean;
  readonly cursor: number;
};
type PartKey = { user: string; channel: string; thread?: string };
type PartQuery = { messages: readonly Message[]; hasEarlier: boolean; problem: string | null };

export function createMessageCache() {
  const parts = new Map<string, CachedPart>();
  const keyOf = ({ user, channel, thread = '' }: PartKey) => `${user}/${channel}/${thread}`;
  const orderOf = (which: PartKey) => (which.thread === undefined ? { ...which, replies: false } : which);

  /** What is known without asking. */
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
    /** Reads the messages before the cached ones. */
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
