/** Messages: a list with day dividers and the line “New”, and in each who, when, what, and who can see it. */

import { api, type Page } from './actions.ts';
import { renderBlocks } from './blocks.ts';
import { ICONS, icon, iconButton } from './kit.ts';
import { openMessageMenu, react } from './menus.ts';
import { html, useMemo, useState } from './preact.ts';
import { BOT_NAME } from './state/store.ts';
import { dayKey, showDay, showFull, showTime, tsToMs } from './text/dates.ts';
import { emojiCharacter, withSigns } from './text/emoji.ts';
import { Collapsible, renderMrkdwn } from './text/mrkdwn.ts';
import type { Message, RenderContext, SeenFile } from './types.ts';

/** Messages of one person within this time are grouped. */
const TOGETHER_MS = 300_000;

type MessageListProps = {
  readonly page: Page;
  readonly messages: readonly Message[];
  /** The line “New” stands before that message. */
  readonly firstNew?: string | null;
  /** Null inside a thread. */
  readonly openThread: ((ts: string) => void) | null;
};

export function MessageList({ page, messages, firstNew = null, openThread }: MessageListProps) {
  const now = page.now();
  const today = dayKey(now);
  let day = '';
  const items = messages.flatMap((message, at) => {
    const { ts } = message;
    const isNewDay = dayKey(tsToMs(ts)) !== day;
    day = dayKey(tsToMs(ts));
    const isFirstNew = ts === firstNew;
    const isFollowing = !isFirstNew && follows(message, messages[at - 1]);
    return [
      isNewDay ? [separator('day', `day ${day}`, showDay(tsToMs(ts), now))] : [],
      isFirstNew ? [separator('new', 'new', 'New')] : [],
      html`<${MessageView} key=${ts} ...${{ page, message, isFollowing, openThread, today }} />`,
    ].flat();
  });
  return html`<div class="message-nodes">${items}</div>`;
}

const separator = (look: 'day' | 'new', key: string, label: string) =>
  html`<div key=${key} class=${look} role="separator"><span>${label}</span></div>`;

/** Cards of the app always show their time; people's messages are grouped. */
function follows(message: Message, before: Message | undefined) {
  if (!before || message.bot || before.bot || message.ephemeral || before.ephemeral) return false;
  const [at, earlier] = [tsToMs(message.ts), tsToMs(before.ts)];
  return message.user === before.user && at - earlier < TOGETHER_MS && dayKey(at) === dayKey(earlier);
}

type MessageProps = Pick<MessageListProps, 'page' | 'openThread'> & {
  readonly message: Message;
  /** Right after one of the same author: drawn without avatar and name. */
  readonly isFollowing: boolean;
  readonly today: string;
};

function MessageView(props: MessageProps) {
  const { page, message, isFollowing, today } = props;
  const [failure, setFailure] = useState<{ words: string; of: Message } | null>(null);
  const [surface] = useState(() => {
    const { channel } = page.store.get();
    return page.actions.surfaceOf({ channel, ts: message.ts }, (words) => setFailure({ words, of: message }));
  });
  const isKnown = page.store.get().world !== null;
  // An unchanged message is the same object, so a long channel is not compared at each change.
  return useMemo(
    () => renderMessage(props, surface, failure?.words),
    [message, isFollowing, today, isKnown, failure],
  );
}

function renderMessage(
  { page, message, isFollowing, openThread }: MessageProps,
  surface: RenderContext,
  failure: string | undefined,
) {
  const { ts, bot, ephemeral, thread_ts, attachments = [], files = [] } = message;
  const { me } = page.store.get();
  const author = bot ? BOT_NAME : page.names.person(message.user);
  const at = tsToMs(ts);
  const time = html`<time class="time" title=${showFull(at)}>${showTime(at)}</time>`;
  const look = ['message', isFollowing && 'following', ephemeral && 'ephemeral'].filter(Boolean).join(' ');
  const openMenu = ({ currentTarget }: Event) => {
    const article = currentTarget instanceof Element ? currentTarget.closest('article') : null;
    const anchor = article?.querySelector('[data-more]');
    if (anchor instanceof HTMLElement) openMessageMenu(page, message, anchor);
  };
  const onContextMenu = (event: Event) => {
    // A long press on a phone; with a mouse the browser's own menu stays.
    if (!(event instanceof PointerEvent) || event.pointerType === 'mouse') return;
    event.preventDefault();
    openMenu(event);
  };
  const head = html`
    <div class="message-head">
      <span class="author">${author}</span>
      ${bot && html`<span class="app-badge">APP</span>`}
      ${time}
    </div>`;
  const more = { 'data-more': ts, 'aria-haspopup': 'menu', 'aria-expanded': 'false', onClick: openMenu };
  const reply = { 'data-reply': ts, onClick: () => openThread?.(thread_ts ?? ts) };
  return html`
    <article
      class=${look}
      data-ts=${ts}
      data-ephemeral=${ephemeral ? 'true' : undefined}
      aria-label="${author}, ${showTime(at)}"
      onContextMenu=${onContextMenu}
    >
      ${ephemeral && html`<p class="only-you">${icon(ICONS.eye)}Only visible to you</p>`}
      <div class="gutter">${isFollowing ? time : avatar(author, bot)}</div>
      <div class="message-body">
        ${!isFollowing && head}
        <div class="content">${renderContent(message, surface)}</div>
        ${attachments.map(
          ({ blocks = [] }) => html`<div class="attachment">${renderBlocks({ blocks, surface })}</div>`,
        )}
        ${files.map((file) => renderFile(file, me))}
        ${renderReactions(page, message, me)}
        ${openThread && threadBar(message, openThread)}
        ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      </div>
      <div class="message-tools" role="toolbar" aria-label="Message actions">
        ${openThread && !ephemeral && iconButton('tool', 'Reply in thread', ICONS.reply, reply)}
        ${iconButton('tool', 'More actions', ICONS.more, more)}
      </div>
    </article>`;
}

/**
 * The text is shown only where there are no blocks, as in Slack; it is for notifications. That a bot edited it is never
 * shown (docs.slack.dev/reference/methods/chat.update), and people here do not edit.
 */
function renderContent({ blocks = [], text }: Message, surface: RenderContext) {
  if (blocks.length > 0) return renderBlocks({ blocks, surface });
  const drawn = html`<div class="message-text">${renderMrkdwn(text, surface)}</div>`;
  return html`<${Collapsible} text=${text} drawn=${drawn} />`;
}

/** `me`: the person who downloads. */
const renderFile = ({ id, name, title, size }: SeenFile, me: string) => html`
  <a
    class="file"
    href=${api.fileAddress(me, id)}
    download=${name}
    data-file=${id}
    aria-label="Download ${name}"
  >
    ${icon(ICONS.file)}
    <span class="file-name">${title || name}</span>
    <span class="file-size">${sizeText(size)}</span>
  </a>`;

const KIB = 1024;

function sizeText(bytes: number) {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < KIB * KIB ? `${Math.round(bytes / KIB)} kB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

function renderReactions(page: Page, message: Message, me: string) {
  const { reactions = [] } = message;
  const chips = reactions.map(({ name, users }) => {
    const who = users.map(page.names.person);
    return html`
      <button
        type="button"
        class="reaction"
        data-reaction=${name}
        aria-pressed=${who.includes(me)}
        aria-label="${name}: ${who.join(', ')}"
        title=${who.join(', ')}
        onClick=${() => void react(page, message, name)}
      >
        ${withSigns(emojiCharacter(name) ?? `:${name}:`)}${` ${users.length}`}
      </button>`;
  });
  return chips.length > 0 && html`<div class="reactions">${chips}</div>`;
}

function threadBar({ ts, reply_count = 0, latest_reply = ts }: Message, openThread: (ts: string) => void) {
  if (reply_count === 0) return null;
  return html`
    <button type="button" class="thread-bar" data-thread=${ts} onClick=${() => openThread(ts)}>
      ${reply_count === 1 ? '1 reply' : `${reply_count} replies`}
      <span class="thread-last">Last reply ${showTime(tsToMs(latest_reply))}</span>
    </button>`;
}

const COLORS = ['#00695c', '#8e3b1f', '#2a5caa', '#7a3e9d', '#4b6b12', '#b0245f', '#56606b'];

/** A person's initial on a color of their own, or the app's logo. */
export function avatar(name: string, isBot: boolean) {
  if (isBot) return html`<span class="avatar avatar-bot" aria-hidden="true">${icon(ICONS.plug)}</span>`;
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  const initials = name.charAt(0).toUpperCase() + (/\d$/.exec(name)?.[0] ?? '');
  const style = { backgroundColor: COLORS[sum % COLORS.length] };
  return html`<span class="avatar" style=${style} aria-hidden="true">${initials}</span>`;
}
