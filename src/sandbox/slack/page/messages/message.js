/** One message: who, when, what, and who can see it. */
/** @import { Message, Names, Surface } from '../types.d.ts' */
import { drawBlocks } from '../blocks/index.js';
import { showFull, showTime, tsToMs } from '../dates.js';
import { h, ICONS, icon } from '../dom.js';
import { BOT_NAME } from '../names.js';
import { mrkdwn } from '../text/mrkdwn.js';
import { avatar } from './avatar.js';

/**
 * @typedef {object} Shown
 * @property {Message} message
 * @property {readonly Message[]} replies
 * @property {boolean} isFollowing right after one of the same author: drawn without avatar and name
 */

/**
 * @param {Shown} shown
 * @param {Surface} surface
 * @param {((ts: string) => void) | null} openThread null inside a thread
 */
export function drawMessage({ message, replies, isFollowing }, surface, openThread) {
  const author = authorOf(message, surface.names);
  const time = timeOf(message);
  return h(
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
      h('div', { class: 'content' }, ...content(message, surface), message.edited && edited()),
      openThread && replies.length > 0 && threadBar(message, replies, openThread),
    ),
    openThread && !message.ephemeral && replyButton(message, openThread),
  );
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
  return [h('div', { class: 'message-text' }, mrkdwn(message.text, surface))];
}

/**
 * @param {Message} message
 * @param {readonly Message[]} replies
 * @param {(ts: string) => void} openThread
 */
function threadBar({ ts }, replies, openThread) {
  const words = replies.length === 1 ? '1 reply' : `${replies.length} replies`;
  const last = showTime(tsToMs(replies.at(-1)?.ts ?? ts));
  return h(
    'button',
    { type: 'button', class: 'thread-bar', 'data-thread': ts, click: () => openThread(ts) },
    words,
    h('span', { class: 'thread-last' }, `Last reply ${last}`),
  );
}

/**
 * @param {Message} message
 * @param {(ts: string) => void} openThread
 */
function replyButton({ ts }, openThread) {
  const attributes = { type: 'button', class: 'reply-button', title: 'Reply in thread', 'data-reply': ts };
  return h(
    'button',
    { ...attributes, 'aria-label': 'Reply in thread', click: () => openThread(ts) },
    icon(ICONS.reply),
  );
}
