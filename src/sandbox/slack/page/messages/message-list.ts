/** A list of messages with day dividers and the "New" line; only changes are rendered again. */

import { h } from '../dom/dom.ts';
import { patchList } from '../dom/keyed-list.ts';
import { dayKey, showDay, tsToMs } from '../text/dates.ts';
import type { Message, RenderContext } from '../types.ts';
import { type MessageActions, type MessageProps, renderMessage } from './message.ts';

/** Messages of one person within this time are grouped. */
const TOGETHER_MS = 300_000;

type MessageListItem =
  | { kind: 'day' | 'new'; key: string; label: string }
  | { kind: 'message'; key: string; props: MessageProps; hash: string };
/** `firstNew`: the line "New" stands before that message. */
type ListMarkers = { hasEarlier?: boolean; firstNew?: string | null };

type MessageListOptions = {
  readonly surfaceOf: (message: Message) => RenderContext;
  readonly now: () => number;
  readonly actions: MessageActions;
  readonly readEarlier?: () => void;
};

export function createMessageList(
  parent: HTMLElement,
  { surfaceOf, now, actions, readEarlier = () => undefined }: MessageListOptions,
) {
  const earlier = h(
    'button',
    { type: 'button', class: 'button earlier', hidden: true },
    'Show earlier messages',
  );
  const nodes = h('div', { class: 'message-nodes' });
  parent.append(earlier, nodes);
  earlier.addEventListener('click', readEarlier);
  return {
    show(messages: readonly Message[], { hasEarlier = false, firstNew = null }: ListMarkers = {}) {
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
    /** The node of that message, if it exists. */
    find: (ts: string) => nodes.querySelector(`[data-ts="${CSS.escape(ts)}"]`),
  };
}

/** Cards of the app always show their time; people's messages are grouped. */
function follows(message: Message, before: Message | undefined) {
  if (!before || message.bot || before.bot || message.ephemeral || before.ephemeral) return false;
  const gap = tsToMs(message.ts) - tsToMs(before.ts);
  return (
    message.user === before.user &&
    gap < TOGETHER_MS &&
    dayKey(tsToMs(message.ts)) === dayKey(tsToMs(before.ts))
  );
}

function itemsOf(
  messages: readonly Message[],
  now: number,
  firstNew: string | null,
): readonly MessageListItem[] {
  const today = dayKey(now);
  let day = '';
  return messages.flatMap((message, at) => {
    const ms = tsToMs(message.ts);
    const isNewDay = dayKey(ms) !== day;
    day = dayKey(ms);
    const isFirstNew = message.ts === firstNew;
    const isFollowing = !isFirstNew && follows(message, messages[at - 1]);
    const items: MessageListItem[] = [];
    if (isNewDay) items.push({ kind: 'day', key: `day ${day}`, label: showDay(ms, now) });
    if (isFirstNew) items.push({ kind: 'new', key: 'new', label: 'New' });
    const hash = `${hashOf(message)} ${isFollowing} ${today}`;
    items.push({ kind: 'message', key: message.ts, props: { message, isFollowing }, hash });
    return items;
  });
}

/** An unchanged message is the same object, so a long channel is not serialized at each change. */
const itemHashes = new WeakMap<Message, string>();

function hashOf(message: Message) {
  const known = itemHashes.get(message) ?? JSON.stringify(message);
  itemHashes.set(message, known);
  return known;
}
