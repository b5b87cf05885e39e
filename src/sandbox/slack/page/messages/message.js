/** One message: who, when, what, and who can see it. */
/** @import { Message, Names, RenderContext } from '../types.d.ts' */
import { renderBlocks } from '../blocks/index.js';
import { h, ICONS, icon } from '../dom/dom.js';
import { BOT_NAME } from '../state/names.js';
import { showFull, showTime, tsToMs } from '../text/dates.js';
import { renderMrkdwn } from '../text/mrkdwn.js';
import { collapsible } from '../text/show-more.js';
import { avatar, renderAttachments, renderFiles, renderReactions } from './attachments.js';

/**
 * @typedef {object} MessageProps
 * @property {Message} message
 * @property {boolean} isFollowing right after one of the same author: drawn without avatar and name
 */

/**
 * Actions on a message.
 * @typedef {object} MessageActions
 * @property {() => string} me
 * @property {((ts: string) => void) | null} openThread null inside a thread
 * @property {(message: Message, anchor: HTMLElement) => void} openMenu
 * @property {(message: Message, name: string) => void} react
 */

/**
 * @param {MessageProps} shown
 * @param {RenderContext} surface
 * @param {MessageActions} actions
 */
export function renderMessage({ message, isFollowing }, surface, actions) {
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
      h('div', { class: 'content' }, ...content(message, surface), message.edited && edited()),
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

/**
 * @param {Message} message
 * @param {Names} names
 */
export const authorOf = (message, names) => (message.bot ? BOT_NAME : names.person(message.user));

/** @param {Message} message */
function timeOf({ ts }) {
  return h('time', { class: 'time', title: showFull(tsToMs(ts)) }, showTime(tsToMs(ts)));
}

/**
 * @param {string} author
 * @param {Message} message
 * @param {HTMLElement} time
 */
function head(author, message, time) {
  const badge = message.bot && h('span', { class: 'app-badge' }, 'APP');
  return h('div', { class: 'message-head' }, h('span', { class: 'author' }, author), badge, time);
}

const edited = () => h('span', { class: 'edited' }, '(edited)');

/**
 * The text is shown only where there are no blocks, as in Slack; it is for notifications.
 * @param {Message} message
 * @param {RenderContext} surface
 */
function content(message, surface) {
  const blocks = message.blocks ?? [];
  if (blocks.length > 0) return renderBlocks(blocks, surface);
  return [
    collapsible(h('div', { class: 'message-text' }, renderMrkdwn(message.text, surface)), message.text),
  ];
}

/**
 * A reply that is also shown in the channel links to its thread.
 * @param {Message} message
 * @param {(ts: string) => void} openThread
 */
function broadcastNote({ ts, thread_ts }, openThread) {
  const open = () => openThread(thread_ts ?? ts);
  return h(
    'button',
    { type: 'button', class: 'broadcast', 'data-thread': thread_ts ?? ts, click: open },
    'replied to a thread',
  );
}

/**
 * @param {Message} message
 * @param {(ts: string) => void} openThread
 */
function threadBar({ ts, reply_count = 0, latest_reply = ts }, openThread) {
  const words = reply_count === 1 ? '1 reply' : `${reply_count} replies`;
  return h(
    'button',
    { type: 'button', class: 'thread-bar', 'data-thread': ts, click: () => openThread(ts) },
    words,
    h('span', { class: 'thread-last' }, `Last reply ${showTime(tsToMs(latest_reply))}`),
  );
}

/**
 * @param {Message} message
 * @param {(ts: string) => void} openThread
 */
function replyButton({ ts, thread_ts }, openThread) {
  const attributes = { type: 'button', class: 'tool', title: 'Reply in thread', 'data-reply': ts };
  return h(
    'button',
    { ...attributes, 'aria-label': 'Reply in thread', click: () => openThread(thread_ts ?? ts) },
    icon(ICONS.reply),
  );
}

/** @param {Message} message @param {MessageActions} doings */
function moreButton(message, { openMenu }) {
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
