/** One message: who, when, what, and who can see it. */

import { renderBlocks } from '../blocks/index.ts';
import { h, ICONS, icon } from '../dom/dom.ts';
import { BOT_NAME } from '../state/names.ts';
import { showFull, showTime, tsToMs } from '../text/dates.ts';
import { renderMrkdwn } from '../text/mrkdwn.ts';
import { collapsible } from '../text/show-more.ts';
import { plainNode } from '../text/text-object.ts';
import type { Message, Names, RenderContext } from '../types.ts';
import { renderAttachments } from './attachments.ts';
import { avatar, renderFiles, renderReactions } from './below-text.ts';

export type MessageProps = {
  readonly message: Message;
  /** Right after one of the same author: drawn without avatar and name. */
  readonly isFollowing: boolean;
};

/** Actions on a message. */
export type MessageActions = {
  readonly me: () => string;
  /** Null inside a thread. */
  readonly openThread: ((ts: string) => void) | null;
  readonly openMenu: (message: Message, anchor: HTMLElement) => void;
  readonly react: (message: Message, name: string) => void;
};

export function renderMessage(
  { message, isFollowing }: MessageProps,
  surface: RenderContext,
  actions: MessageActions,
) {
  const { openThread, react } = actions;
  const author = authorOf(message, surface.names);
  const time = timeOf(message);
  const more = moreButton(message, actions);
  const node = h(
    'article',
    {
      class: `message${isFollowing ? ' following' : ''}${message.ephemeral ? ' ephemeral' : ''}`,
      'data-ts': message.ts,
      'data-ephemeral': message.ephemeral ? 'true' : null,
      'aria-label': `${author}, ${showTime(tsToMs(message.ts))}`,
    },
    message.ephemeral && h('p', { class: 'only-you' }, icon(ICONS.eye), 'Only visible to you'),
    h('div', { class: 'gutter' }, isFollowing ? time : avatar(author, message.bot)),
    h(
      'div',
      { class: 'message-body' },
      !isFollowing && head(author, message, time),
      openThread && message.broadcast && broadcastNote(message, openThread),
      h('div', { class: 'content' }, ...content(message, surface)),
      ...renderAttachments(message.attachments ?? [], surface),
      ...renderFiles(message.files ?? [], actions.me()),
      renderReactions(message, surface, { me: actions.me(), react }),
      openThread && (message.reply_count ?? 0) > 0 && threadBar(message, openThread),
    ),
    h(
      'div',
      { class: 'message-tools', role: 'toolbar', 'aria-label': 'Message actions' },
      openThread && !message.ephemeral && replyButton(message, openThread),
      more,
    ),
  );
  node.addEventListener('contextmenu', (event) => {
    // A long press on a phone; with a mouse the browser's own menu stays.
    if (!(event instanceof PointerEvent) || event.pointerType === 'mouse') return;
    event.preventDefault();
    actions.openMenu(message, more);
  });
  return node;
}

const authorOf = (message: Message, names: Names) => (message.bot ? BOT_NAME : names.person(message.user));

function timeOf({ ts }: Message) {
  return h('time', { class: 'time', title: showFull(tsToMs(ts)) }, showTime(tsToMs(ts)));
}

function head(author: string, message: Message, time: HTMLElement) {
  const badge = message.bot && h('span', { class: 'app-badge' }, 'APP');
  return h('div', { class: 'message-head' }, h('span', { class: 'author' }, author), badge, time);
}

/**
 * The text is shown only where there are no blocks, as in Slack; it is for notifications. That a bot edited it is never
 * shown (docs.slack.dev/reference/methods/chat.update), and people here do not edit.
 */
function content(message: Message, surface: RenderContext) {
  const blocks = message.blocks ?? [];
  if (blocks.length > 0) return renderBlocks(blocks, surface);
  // The addresses that are links were made links when it was posted (`parse`).
  const reader = { ...surface, isVerbatim: true };
  const words = message.plain ? plainNode(message.text) : renderMrkdwn(message.text, reader);
  return [collapsible(h('div', { class: 'message-text' }, words), message.text)];
}

/** A reply that is also shown in the channel links to its thread. */
function broadcastNote({ ts, thread_ts }: Message, openThread: (ts: string) => void) {
  const open = () => openThread(thread_ts ?? ts);
  return h(
    'button',
    { type: 'button', class: 'broadcast', 'data-thread': thread_ts ?? ts, click: open },
    'replied to a thread',
  );
}

function threadBar({ ts, reply_count = 0, latest_reply = ts }: Message, openThread: (ts: string) => void) {
  const words = reply_count === 1 ? '1 reply' : `${reply_count} replies`;
  return h(
    'button',
    { type: 'button', class: 'thread-bar', 'data-thread': ts, click: () => openThread(ts) },
    words,
    h('span', { class: 'thread-last' }, `Last reply ${showTime(tsToMs(latest_reply))}`),
  );
}

function replyButton({ ts, thread_ts }: Message, openThread: (ts: string) => void) {
  const attributes = { type: 'button', class: 'tool', title: 'Reply in thread', 'data-reply': ts };
  return h(
    'button',
    { ...attributes, 'aria-label': 'Reply in thread', click: () => openThread(thread_ts ?? ts) },
    icon(ICONS.reply),
  );
}

function moreButton(message: Message, { openMenu }: MessageActions) {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'tool',
      title: 'More actions',
      'data-more': message.ts,
      'aria-label': 'More actions',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    icon(ICONS.more),
  );
  button.addEventListener('click', () => openMenu(message, button));
  return button;
}
