/** One message: who, when, what, and who can see it. */
/** @import { Message, Names, Surface } from '../types.d.ts' */
import { drawBlocks } from '../blocks/index.js';
import { showFull, showTime, tsToMs } from '../dates.js';
import { h, ICONS, icon } from '../dom.js';
import { BOT_NAME } from '../names.js';
import { folded } from '../text/fold.js';
import { mrkdwn } from '../text/mrkdwn.js';
import { avatar } from './avatar.js';
import { drawAttachments, drawFiles, drawReactions } from './extras.js';

/**
 * @typedef {object} Shown
 * @property {Message} message
 * @property {boolean} isFollowing right after one of the same author: drawn without avatar and name
 */

/**
 * What can be done with a message where it stands.
 * @typedef {object} Doings
 * @property {() => string} me
 * @property {((ts: string) => void) | null} openThread null inside a thread
 * @property {(message: Message, anchor: HTMLElement) => void} openMenu
 * @property {(message: Message, name: string) => void} react
 */

/**
 * @param {Shown} shown
 * @param {Surface} surface
 * @param {Doings} doings
 */
export function drawMessage({ message, isFollowing }, surface, doings) {
  const { openThread, react } = doings;
  const author = authorOf(message, surface.names);
  const time = timeOf(message);
  const more = moreButton(message, doings);
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
      openThread && message.broadcast && broadcastLine(message, openThread),
      h('div', { class: 'content' }, ...content(message, surface), message.edited && edited()),
      ...drawAttachments(message.attachments ?? [], surface),
      ...drawFiles(message.files ?? [], doings.me()),
      drawReactions(message, surface, { me: doings.me(), react }),
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
    // A long press on a phone; with a mouse the browser's own menu is left as it is.
    if (!(event instanceof PointerEvent) || event.pointerType === 'mouse') return;
    event.preventDefault();
    doings.openMenu(message, more);
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
 * The text is drawn only where there are no blocks, as Slack does: it is for notifications.
 * @param {Message} message
 * @param {Surface} surface
 */
function content(message, surface) {
  const blocks = message.blocks ?? [];
  if (blocks.length > 0) return drawBlocks(blocks, surface);
  return [folded(h('div', { class: 'message-text' }, mrkdwn(message.text, surface)), message.text)];
}

/** A reply that also stands in the channel says where it belongs. @param {Message} message @param {(ts: string) => void} openThread */
function broadcastLine({ ts, thread_ts }, openThread) {
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

/** @param {Message} message @param {Doings} doings */
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
