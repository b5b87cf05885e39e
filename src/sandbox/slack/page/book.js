/** The parts of channels and threads that have been read, kept up to date by what has changed since. */
/** @import { Excerpt, Message } from './types.d.ts' */
import { api } from './api.js';

/** Messages read at first, and with each look further back. */
const AT_ONCE = 100;

/**
 * @typedef {object} Part
 * @property {ReadonlyMap<string, Message>} messages
 * @property {boolean} hasEarlier
 * @property {number} cursor
 */
/** @typedef {{user: string, channel: string, thread?: string}} Which */
/** @typedef {{messages: readonly Message[], hasEarlier: boolean, problem: string | null}} Reading */

export function createBook() {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  const keyOf = (/** @type {Which} */ { user, channel, thread = '' }) => `${user}/${channel}/${thread}`;
  const orderOf = (/** @type {Which} */ which) =>
    which.thread === undefined ? { ...which, replies: false } : which;

  /** @param {Which} which @returns {Reading | null} what is known without asking */
  const known = (which) => {
    const part = parts.get(keyOf(which));
    return part ? readingOf(part) : null;
  };
  return {
    known,
    /** The newest messages, or only what has changed in those that are known. @param {Which} which @returns {Promise<Reading>} */
    async read(which) {
      const before = parts.get(keyOf(which));
      const since = before ? { since: before.cursor } : {};
      const limit = which.thread === undefined ? { limit: AT_ONCE } : {};
      const answer = await api.messages({ ...orderOf(which), ...limit, ...since });
      if (!answer.messages)
        return { messages: [], hasEarlier: false, problem: answer.error ?? 'unknown_error' };
      // A look further back may have come meanwhile.
      const now = parts.get(keyOf(which));
      const part = now && answer.whole === false ? renewed(now, answer) : partOf(answer);
      parts.set(keyOf(which), part);
      return readingOf(part);
    },
    /** The messages before those that are known. @param {Which} which @returns {Promise<Reading | null>} */
    async readEarlier(which) {
      const first = known(which)?.messages[0];
      if (!first) return null;
      const answer = await api.messages({ ...orderOf(which), before: first.ts, limit: AT_ONCE });
      const now = parts.get(keyOf(which));
      if (!answer.messages || !now) return null;
      const earlier = new Map(answer.messages.map((message) => [message.ts, message]));
      const part = {
        ...now,
        messages: new Map([...earlier, ...now.messages]),
        hasEarlier: answer.more === true,
      };
      parts.set(keyOf(which), part);
      return readingOf(part);
    },
    /** Keeps the newest only, so that a page left open does not grow for ever. @param {Which} which */
    trim(which) {
      const part = parts.get(keyOf(which));
      if (!part || part.messages.size <= AT_ONCE) return;
      const newest = [...part.messages].slice(-AT_ONCE);
      parts.set(keyOf(which), { ...part, messages: new Map(newest), hasEarlier: true });
    },
    forget: () => parts.clear(),
  };
}

/** @param {Part} part @returns {Reading} */
const readingOf = ({ messages, hasEarlier }) => ({
  messages: [...messages.values()],
  hasEarlier,
  problem: null,
});

/** @param {Excerpt} answer @returns {Part} */
const partOf = ({ messages = [], more = false, cursor = 0 }) => ({
  messages: new Map(messages.map((message) => [message.ts, message])),
  hasEarlier: more,
  cursor,
});

/**
 * Changes of messages before the first known one are left: those are read when somebody looks that far back.
 * @param {Part} part
 * @param {Excerpt} answer
 * @returns {Part}
 */
function renewed({ messages, hasEarlier }, { messages: changed = [], removed = [], cursor = 0 }) {
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
