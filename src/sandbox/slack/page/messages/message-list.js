/** A list of messages with day dividers and the "New" line; only changes are rendered again. */
/** @import { Message, RenderContext } from '../types.d.ts' */
/** @import { MessageActions, MessageProps } from './message.js' */

import { h } from '../dom/dom.js';
import { patchList } from '../dom/keyed-list.js';
import { dayKey, showDay, tsToMs } from '../text/dates.js';
import { renderMessage } from './message.js';

/** Messages of one person within this time are grouped. */
const TOGETHER_MS = 300_000;

/** @typedef {{kind: 'day' | 'new', key: string, label: string} | {kind: 'message', key: string, props: MessageProps, hash: string}} MessageListItem */
/** @typedef {{hasEarlier?: boolean, firstNew?: string | null}} ListMarkers `firstNew`: the line "New" stands before that message */

/**
 * @param {HTMLElement} parent
 * @param {{surfaceOf: (message: Message) => RenderContext, now: () => number, actions: MessageActions, readEarlier?: () => void}} options
 */
export function createMessageList(parent, { surfaceOf, now, actions, readEarlier = () => undefined }) {
  const earlier = h(
    'button',
    { type: 'button', class: 'button earlier', hidden: true },
    'Show earlier messages',
  );
  const nodes = h('div', { class: 'message-nodes' });
  parent.append(earlier, nodes);
  earlier.addEventListener('click', readEarlier);
  return {
    /** @param {readonly Message[]} messages @param {ListMarkers} [marks] */
    show(messages, { hasEarlier = false, firstNew = null } = {}) {
      earlier.hidden = !hasEarlier;
      patchList(nodes, itemsOf(messages, now(), firstNew), {
        key: ({ key }) => key,
        hash: (item) => (item.kind === 'message' ? item.hash : item.label),
        draw: (item) =>
          item.kind === 'message'
            ? renderMessage(item.props, surfaceOf(item.props.message), actions)
            : h('div', { class: item.kind, role: 'separator' }, h('span', {}, item.label)),
      });
    },
    /** Another channel or person: discards typed input. */
    restart: () => nodes.replaceChildren(),
    /** The node of that message, if it exists. @param {string} ts */
    find: (ts) => nodes.querySelector(`[data-ts="${CSS.escape(ts)}"]`),
  };
}

/**
 * Cards of the app always show their time; people's messages are grouped.
 * @param {Message} message
 * @param {Message | undefined} before
 */
function follows(message, before) {
  if (!before || message.bot || before.bot || message.ephemeral || before.ephemeral) return false;
  if (message.broadcast) return false;
  const gap = tsToMs(message.ts) - tsToMs(before.ts);
  return (
    message.user === before.user &&
    gap < TOGETHER_MS &&
    dayKey(tsToMs(message.ts)) === dayKey(tsToMs(before.ts))
  );
}

/**
 * @param {readonly Message[]} messages
 * @param {number} now
 * @param {string | null} firstNew
 * @returns {readonly MessageListItem[]}
 */
function itemsOf(messages, now, firstNew) {
  const today = dayKey(now);
  let day = '';
  return messages.flatMap((message, at) => {
    const ms = tsToMs(message.ts);
    const isNewDay = dayKey(ms) !== day;
    day = dayKey(ms);
    const isFirstNew = message.ts === firstNew;
    const isFollowing = !isFirstNew && follows(message, messages[at - 1]);
    /** @type {MessageListItem[]} */
    const items = [];
    if (isNewDay) items.push({ kind: 'day', key: `day ${day}`, label: showDay(ms, now) });
    if (isFirstNew) items.push({ kind: 'new', key: 'new', label: 'New' });
    const hash = `${hashOf(message)} ${isFollowing} ${today}`;
    items.push({ kind: 'message', key: message.ts, props: { message, isFollowing }, hash });
    return items;
  });
}

/** An unchanged message is the same object, so a long channel is not serialized at each change. */
/** @type {WeakMap<Message, string>} */
const itemHashes = new WeakMap();

/** @param {Message} message */
function hashOf(message) {
  const known = itemHashes.get(message) ?? JSON.stringify(message);
  itemHashes.set(message, known);
  return known;
}
