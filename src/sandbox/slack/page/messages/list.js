/** A list of messages with its days; only what changed is drawn again. */
/** @import { Message, Surface } from '../types.d.ts' */
/** @import { Shown } from './message.js' */
import { dayKey, showDay, tsToMs } from '../dates.js';
import { h } from '../dom.js';
import { patchList } from '../keyed.js';
import { drawMessage } from './message.js';

/** Messages drawn at first and added by each press on "earlier": a page that long is drawn in no noticeable time. */
const AT_ONCE = 150;
/** Messages of one person within this time are drawn together. */
const TOGETHER_MS = 300_000;

/** @typedef {{kind: 'day', key: string, label: string} | {kind: 'message', shown: Shown, hash: string}} Item */

/**
 * @param {HTMLElement} parent
 * @param {{surfaceOf: (message: Message) => Surface, now: () => number, openThread: ((ts: string) => void) | null}} options
 */
export function createMessageList(parent, { surfaceOf, now, openThread }) {
  let most = AT_ONCE;
  /** @type {readonly Shown[]} */
  let all = [];
  const earlier = h('button', { type: 'button', class: 'button earlier' }, 'Show earlier messages');
  const nodes = h('div', { class: 'message-nodes' });
  parent.append(earlier, nodes);
  earlier.addEventListener('click', () => {
    most += AT_ONCE;
    draw();
  });
  const draw = () => {
    earlier.hidden = all.length <= most;
    patchList(nodes, itemsOf(all.slice(-most), now()), {
      key: (item) => (item.kind === 'day' ? `day ${item.key}` : item.shown.message.ts),
      hash: (item) => (item.kind === 'day' ? item.label : item.hash),
      draw: (item) =>
        item.kind === 'day'
          ? h('div', { class: 'day', role: 'separator' }, h('span', {}, item.label))
          : drawMessage(item.shown, surfaceOf(item.shown.message), openThread),
    });
  };
  return {
    /** @param {readonly Shown[]} shown */
    show(shown) {
      all = shown;
      draw();
    },
    /** Another channel, or other eyes: begins with the newest messages, and nothing typed stays. */
    restart() {
      most = AT_ONCE;
      nodes.replaceChildren();
    },
    /** The node of that message, drawn now if it was too far back. @param {string} ts */
    reveal(ts) {
      const at = all.findIndex(({ message }) => message.ts === ts);
      if (at < 0) return null;
      most = Math.max(most, all.length - at);
      draw();
      return nodes.querySelector(`[data-ts="${CSS.escape(ts)}"]`);
    },
  };
}

/**
 * The messages of a channel itself, each with the replies of its thread.
 * @param {readonly Message[]} messages
 * @returns {readonly Shown[]}
 */
export function channelOf(messages) {
  const replies = Map.groupBy(messages.filter(isReply), (message) => message.thread_ts);
  const own = messages.filter((message) => !isReply(message));
  return own.map((message, at) => ({
    message,
    replies: replies.get(message.ts) ?? [],
    isFollowing: follows(message, own[at - 1]),
  }));
}

/**
 * A thread: its first message, then the replies.
 * @param {readonly Message[]} messages
 * @param {string} threadTs
 * @returns {readonly Shown[]}
 */
export function threadOf(messages, threadTs) {
  const own = messages.filter(({ ts, thread_ts }) => ts === threadTs || thread_ts === threadTs);
  return own.map((message, at) => ({ message, replies: [], isFollowing: follows(message, own[at - 1]) }));
}

/** @param {Message} message */
const isReply = ({ ts, thread_ts }) => typeof thread_ts === 'string' && thread_ts !== ts;

/**
 * The app's cards always say when they came; people's lines run together.
 * @param {Message} message
 * @param {Message | undefined} before
 */
function follows(message, before) {
  if (!before || message.bot || before.bot || message.ephemeral || before.ephemeral) return false;
  const gap = tsToMs(message.ts) - tsToMs(before.ts);
  return (
    message.user === before.user &&
    gap < TOGETHER_MS &&
    dayKey(tsToMs(message.ts)) === dayKey(tsToMs(before.ts))
  );
}

/**
 * @param {readonly Shown[]} all
 * @param {number} now
 * @returns {readonly Item[]}
 */
function itemsOf(all, now) {
  const today = dayKey(now);
  let day = '';
  return all.flatMap((shown) => {
    const at = tsToMs(shown.message.ts);
    const isNewDay = dayKey(at) !== day;
    day = dayKey(at);
    /** @type {Item} */
    const item = { kind: 'message', shown, hash: hashOf(shown, today) };
    return isNewDay ? [{ kind: 'day', key: day, label: showDay(at, now) }, item] : [item];
  });
}

/**
 * Everything that the drawing shows; a new day counts, because texts say "today" and "yesterday".
 * @param {Shown} shown
 * @param {string} today
 */
const hashOf = ({ message, replies, isFollowing }, today) =>
  JSON.stringify([message, replies.length, replies.at(-1)?.ts, isFollowing, today]);
