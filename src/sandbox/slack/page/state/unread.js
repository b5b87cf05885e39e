/** What each person has read in each channel. Messages from before the page was first opened count as read. */
/** @import { Message, Unread, SandboxState } from '../types.d.ts' */

/** Survives a reload of the page; data of another sandbox is ignored. */
const STORAGE_KEY = 'patchbay-read';

/** @typedef {{start: string | null, read: Record<string, string>}} StoredReadMarks */

export function createUnread() {
  /** @type {StoredReadMarks} */
  let readMarks = { start: null, read: {} };
  let storageKey = '';
  return {
    /** @param {SandboxState} world @param {number} now */
    begin(world, now) {
      if (readMarks.start !== null) return;
      storageKey = `${STORAGE_KEY} ${world.slack?.apiUrl ?? ''}`;
      readMarks = stored(storageKey) ?? { start: (now / 1000).toFixed(6), read: {} };
    },
    /** The `ts` of the last message read. @param {string} me @param {string} channel */
    readTo: (me, channel) => readMarks.read[`${me}/${channel}`] ?? readMarks.start ?? '0.000000',
    /** @param {string} me @param {string} channel @param {readonly Message[]} messages */
    saw(me, channel, messages) {
      const last = messages.at(-1)?.ts;
      if (last === undefined || readMarks.read[`${me}/${channel}`] === last) return;
      readMarks.read[`${me}/${channel}`] = last;
      sessionStorage.setItem(storageKey, JSON.stringify(readMarks));
    },
  };
}

/** @param {string} storageKey @returns {StoredReadMarks | null} */
function stored(storageKey) {
  const text = sessionStorage.getItem(storageKey);
  return text === null ? null : JSON.parse(text);
}

/**
 * How many of these messages are new to that person. Replies count if they mention the person.
 * @param {readonly Message[]} messages
 * @param {{id: string, groups: readonly string[], isDirect: boolean}} person
 * @returns {Unread}
 */
export function countUnread(messages, { id, groups, isDirect }) {
  const others = messages.filter(({ user }) => user !== id);
  const calls = others.filter((message) => isDirect || mentions(message, [id, ...groups]));
  const isOwnLine = (/** @type {Message} */ { ts, thread_ts, broadcast }) =>
    broadcast === true || typeof thread_ts !== 'string' || thread_ts === ts;
  const counted = others.filter((message) => isOwnLine(message) || calls.includes(message));
  return { count: counted.length, mentions: calls.length };
}

const EVERYBODY = /<!(?:here|channel|everyone)[|>]|"type":"broadcast"/;

/** @param {Message} message @param {readonly string[]} ids */
function mentions({ text, blocks = [] }, ids) {
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
