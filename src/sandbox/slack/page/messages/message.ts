/** One message: who, when, what, and who can see it. */

import { renderBlocks } from '../blocks/blocks.ts';
import { h, ICONS, icon } from '../dom/dom.ts';
import { api } from '../state/api.ts';
import { BOT_NAME } from '../state/store.ts';
import { showFull, showTime, tsToMs } from '../text/dates.ts';
import { emojiCharacter, withSigns } from '../text/emoji.ts';
import { renderMrkdwn } from '../text/mrkdwn.ts';
import { collapsible } from '../text/text-object.ts';
import type { Attachment, Message, RenderContext, SeenFile } from '../types.ts';

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
  const { names } = surface;
  const { ts, bot, ephemeral } = message;
  const author = bot ? BOT_NAME : names.person(message.user);
  const at = tsToMs(ts);
  const time = h('time', { class: 'time', title: showFull(at) }, showTime(at));
  const more = moreButton(message, actions);
  const node = h(
    'article',
    {
      class: `message${isFollowing ? ' following' : ''}${ephemeral ? ' ephemeral' : ''}`,
      'data-ts': ts,
      'data-ephemeral': ephemeral ? 'true' : null,
      'aria-label': `${author}, ${showTime(at)}`,
    },
    ephemeral && h('p', { class: 'only-you' }, icon(ICONS.eye), 'Only visible to you'),
    h('div', { class: 'gutter' }, isFollowing ? time : avatar(author, bot)),
    h(
      'div',
      { class: 'message-body' },
      !isFollowing &&
        h(
          'div',
          { class: 'message-head' },
          h('span', { class: 'author' }, author),
          bot && h('span', { class: 'app-badge' }, 'APP'),
          time,
        ),
      h('div', { class: 'content' }, ...content(message, surface)),
      ...(message.attachments ?? []).map((each) => renderAttachment(each, surface)),
      ...(message.files ?? []).map((file) => renderFile(file, actions.me())),
      renderReactions(message, surface, { me: actions.me(), react }),
      openThread && (message.reply_count ?? 0) > 0 && threadBar(message, openThread),
    ),
    h(
      'div',
      { class: 'message-tools', role: 'toolbar', 'aria-label': 'Message actions' },
      openThread && !ephemeral && replyButton(message, openThread),
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
 * The text is shown only where there are no blocks, as in Slack; it is for notifications. That a bot edited it is never
 * shown (docs.slack.dev/reference/methods/chat.update), and people here do not edit.
 */
function content(message: Message, surface: RenderContext) {
  const blocks = message.blocks ?? [];
  if (blocks.length > 0) return renderBlocks(blocks, surface);
  const words = renderMrkdwn(message.text, surface);
  return [collapsible(h('div', { class: 'message-text' }, words), message.text)];
}

/** What the app shows below a message for a link in it. */
const renderAttachment = ({ blocks = [] }: Attachment, surface: RenderContext) =>
  h('div', { class: 'attachment' }, ...renderBlocks(blocks, surface));

/** `me`: the person who downloads. */
function renderFile({ id, name, title, size }: SeenFile, me: string) {
  return h(
    'a',
    {
      class: 'file',
      href: api.fileAddress(me, id),
      download: name,
      'data-file': id,
      'aria-label': `Download ${name}`,
    },
    icon(ICONS.file),
    h('span', { class: 'file-name' }, title === undefined || title === '' ? name : title),
    h('span', { class: 'file-size' }, sizeText(size)),
  );
}

const KIB = 1024;

function sizeText(bytes: number) {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < KIB * KIB ? `${Math.round(bytes / KIB)} kB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

function renderReactions(
  message: Message,
  { names }: RenderContext,
  { me, react }: { me: string; react: (message: Message, name: string) => void },
) {
  const { reactions = [] } = message;
  const chips = reactions.map(({ name, users }) => {
    const who = users.map(names.person);
    return h(
      'button',
      {
        type: 'button',
        class: 'reaction',
        'data-reaction': name,
        'aria-pressed': String(who.includes(me)),
        'aria-label': `${name}: ${who.join(', ')}`,
        title: who.join(', '),
        click: () => react(message, name),
      },
      withSigns(emojiCharacter(name) ?? `:${name}:`),
      ` ${users.length}`,
    );
  });
  return chips.length > 0 && h('div', { class: 'reactions' }, ...chips);
}

const COLORS = ['#00695c', '#8e3b1f', '#2a5caa', '#7a3e9d', '#4b6b12', '#b0245f', '#56606b'];

/** A person's initial on a color of their own, or the app's logo. */
export function avatar(name: string, isBot: boolean) {
  if (isBot) return h('span', { class: 'avatar avatar-bot', 'aria-hidden': 'true' }, icon(ICONS.plug));
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  const initials = name.charAt(0).toUpperCase() + (/\d$/.exec(name)?.[0] ?? '');
  const node = h('span', { class: 'avatar', 'aria-hidden': 'true' }, initials);
  node.style.backgroundColor = COLORS[sum % COLORS.length] ?? '';
  return node;
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
