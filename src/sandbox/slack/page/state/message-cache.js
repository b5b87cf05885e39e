/** Cached parts of channels and threads, updated with what changed since. */
/** @import { Excerpt, Message } from '../types.d.ts' */
import { api } from './api.js';

/** Messages per read, first and further back. */
const PAGE_SIZE = 100;

/**
 * @typedef {object} CachedPart
 * @property {ReadonlyMap<string, Message>} messages
 * @property {boolean} hasEarlier
 * @property {number} cursor
 */
/** @typedef {{user: string, channel: string, thread?: string}} PartKey */
/** @typedef {{messages: readonly Message[], hasEarlier: boolean, problem: string | null}} PartQuery */

export function createMessageCache() {
  /** @type {Map<string, CachedPart>} */
  const parts = new Map();
  const keyOf = (/** @type {PartKey} */ { user, channel, thread = '' }) => `${user}/${channel}/${thread}`;
  const orderOf = (/** @type {PartKey} */ which) =>
    which.thread === undefined ? { ...which, replies: false } : which;

  /** @param {PartKey} which @returns {PartQuery | null} what is known without asking */
  const known = (which) => {
    const part = parts.get(keyOf(which));
    return part ? queryFor(part) : null;
  };
  return {
    known,
    /**
     * Reads the newest messages, or only what changed in the cached ones.
     * @param {PartKey} which
     * @returns {Promise<PartQuery>}
     */
    async read(which) {
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
    /** Reads the messages before the cached ones. @param {PartKey} which @returns {Promise<PartQuery | null>} */
    async readEarlier(which) {
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
    /** Keeps only the newest, so that an open page does not grow without end. @param {PartKey} which */
    trim(which) {
      const part = parts.get(keyOf(which));
      if (!part || part.messages.size <= PAGE_SIZE) return;
      const newest = [...part.messages].slice(-PAGE_SIZE);
      parts.set(keyOf(which), { ...part, messages: new Map(newest), hasEarlier: true });
    },
    forget: () => parts.clear(),
  };
}

/** @param {CachedPart} part @returns {PartQuery} */
const queryFor = ({ messages, hasEarlier }) => ({
  messages: [...messages.values()],
  hasEarlier,
  problem: null,
});

/** @param {Excerpt} answer @returns {CachedPart} */
const partFrom = ({ messages = [], more = false, cursor = 0 }) => ({
  messages: new Map(messages.map((message) => [message.ts, message])),
  hasEarlier: more,
  cursor,
});

/**
 * Skips changes before the first cached message: they are read when somebody scrolls that far back.
 * @param {CachedPart} part
 * @param {Excerpt} answer
 * @returns {CachedPart}
 */
function updatedPart({ messages, hasEarlier }, { messages: changed = [], removed = [], cursor = 0 }) {
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
