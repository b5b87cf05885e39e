/**
 * Slack's mrkdwn: preformatted and quoted lines, and inside of a line styles, code, `<…>` tokens, emoji and entities.
 * Addresses outside of tokens stay text: the app sends all its texts verbatim.
 */
import { html, useState } from '../preact.ts';
import { channelAddress } from '../state/store.ts';
import type { Drawn, Names, TextObject, ViewerContext } from '../types.ts';
import { formatDate, showFull } from './dates.ts';
import { EMOJI_NAME, emojiCharacter, withEmoji, withSigns } from './emoji.ts';

const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const FENCE = /```\n?([\s\S]+?)\n?```/;
const QUOTED = /((?:^(?:>|&gt;).*\n?)+)/m;
const QUOTE = /^(?:>|&gt;) ?/gm;

/** Every second part of a text that was split is what stood in a fence, or was quoted. */
export const renderMrkdwn = (text: string, reader: ViewerContext): Drawn =>
  text
    .split(FENCE)
    .map((part, at) => (at % 2 === 1 ? html`<pre>${decoded(part)}</pre>` : lines(part, reader)));

function lines(text: string, reader: ViewerContext): Drawn {
  return text.split(QUOTED).map((part, at) => {
    const words = part.replace(/^\n|\n$/g, '');
    if (words === '') return null;
    if (at % 2 === 1) return html`<blockquote>${renderInline(words.replace(QUOTE, ''), reader)}</blockquote>`;
    return html`<div class="lines">${renderInline(words, reader)}</div>`;
  });
}

/** Maximum nesting of styles: nobody writes more, and hostile text must not exhaust the stack. */
const MAX_DEPTH = 6;

type InlineMatch = { end: number; drawn: Drawn };
type InlineScan = ViewerContext & { depth: number; barren: Map<string, number> };

const STYLES: Readonly<Record<string, 'b' | 'i' | 's' | undefined>> = { '*': 'b', _: 'i', '~': 's' };

function renderInline(text: string, reader: ViewerContext, depth = 0): Drawn {
  const out: Drawn[] = [];
  const scan: InlineScan = { ...reader, depth, barren: new Map() };
  let plainFrom = 0;
  let at = 0;
  while (at < text.length) {
    const found = findAt(text, at, scan);
    if (found) {
      out.push(withSigns(decoded(text.slice(plainFrom, at))), found.drawn);
      at = plainFrom = found.end;
    } else at += 1;
  }
  out.push(withSigns(decoded(text.slice(plainFrom))));
  return out;
}

function findAt(text: string, at: number, scan: InlineScan): InlineMatch | null {
  const mark = text[at] ?? '';
  if (mark === '`') return code(text, at);
  if (mark === '<') return token(text, at, scan);
  if (mark === ':') return emoji(text, at);
  const tag = STYLES[mark];
  return tag && scan.depth < MAX_DEPTH ? styled(text, at, tag, scan) : null;
}

function matchAt(sticky: RegExp, text: string, at: number) {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

function code(text: string, at: number) {
  const match = matchAt(/`([^`\n]+)`/y, text, at);
  return match && { end: at + match[0].length, drawn: html`<code>${decoded(match[1] ?? '')}</code>` };
}

function token(text: string, at: number, scan: InlineScan) {
  const match = matchAt(/<([^<>\n]{1,3500})>/y, text, at);
  const drawn = match && renderToken(match[1] ?? '', scan);
  return match && drawn ? { end: at + match[0].length, drawn } : null;
}

const EMOJI_HERE = new RegExp(EMOJI_NAME, 'y');

function emoji(text: string, at: number) {
  const match = matchAt(EMOJI_HERE, text, at);
  const character = match && emojiCharacter(match[1] ?? '');
  return character ? { end: at + match[0].length, drawn: withSigns(character) } : null;
}

function styled(text: string, at: number, tag: 'b' | 'i' | 's', scan: InlineScan) {
  const mark = text[at] ?? '';
  const next = text[at + 1] ?? ' ';
  if (isWord(text[at - 1]) || /\s/.test(next) || next === mark) return null;
  const end = closing(text, at, mark, scan);
  if (end === null) return null;
  const inside = renderInline(text.slice(at + 1, end), scan, scan.depth + 1);
  return { end: end + 1, drawn: html`<${tag}>${inside}</${tag}>` };
}

/**
 * Where the style opened at `at` ends, on the same line. A mark without an end is remembered, since no later opening on
 * that line has one either: long hostile lines stay cheap.
 */
function closing(text: string, at: number, mark: string, { barren }: InlineScan) {
  if ((barren.get(mark) ?? -1) > at) return null;
  let index = at + 1;
  for (; index < text.length && text[index] !== '\n'; index += 1) {
    if (text[index] === '`') index = skip(text, index, '`');
    else if (text[index] === '<') index = skip(text, index, '>');
    else if (
      text[index] === mark &&
      index > at + 1 &&
      !/\s/.test(text[index - 1] ?? ' ') &&
      !isWord(text[index + 1])
    )
      return index;
  }
  barren.set(mark, index);
  return null;
}

/** The end of a literal piece (code, token), or its start where it has no end nearby. */
function skip(text: string, from: number, end: string) {
  const match = matchAt(end === '>' ? /<[^<>\n]{1,3500}>/y : /`[^`\n]{1,3500}`/y, text, from);
  return match ? from + match[0].length - 1 : from;
}

const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** `content`: the text between `<` and `>`. Anything but mentions, dates and links is shown as written. */
function renderToken(content: string, reader: ViewerContext): Drawn {
  const bar = content.indexOf('|');
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? '' : decoded(content.slice(bar + 1));
  if (/^@[UW]\w+$/.test(target))
    return renderMention(`@${label || reader.names.person(target.slice(1))}`, 'person');
  if (/^#C\w+$/.test(target)) return renderChannel(target.slice(1), reader.names);
  if (target.startsWith('!')) return special(target.slice(1), label, reader);
  const address = decoded(target);
  return isOpenable(address) ? renderLink(address, label || address) : null;
}

function special(target: string, label: string, reader: ViewerContext): Drawn {
  const [kind = '', ...rest] = target.split('^');
  if (kind === 'here' || kind === 'channel' || kind === 'everyone')
    return renderMention(`@${kind}`, 'everyone');
  if (kind === 'subteam')
    return renderMention(groupLabel(label || reader.names.group(rest[0] ?? '')), 'group');
  if (kind === 'date') return dateNode(rest, label, reader);
  return label ? `<${label}>` : null;
}

const groupLabel = (label: string) => (label.startsWith('@') ? label : `@${label}`);

function dateNode([seconds = '', format = '']: readonly string[], fallback: string, reader: ViewerContext) {
  const at = Number(seconds);
  const words = formatDate(at, decoded(format), reader.now()) ?? fallback;
  return html`<time title=${showFull(at * 1000) || undefined}>${words}</time>`;
}

/**
 * The content of a plain text: entities decoded (Slack keeps texts escaped), emoji as characters unless switched off.
 */
export function renderPlainText(text: TextObject | string | null | undefined) {
  if (text === null || text === undefined) return '';
  if (typeof text === 'string') return withEmoji(decoded(text));
  return text.emoji === false ? decoded(text.text) : withEmoji(decoded(text.text));
}

export const plainNode = (text: TextObject | string | null | undefined) => withSigns(renderPlainText(text));

export const renderText = (text: TextObject, reader: ViewerContext) =>
  text.type === 'mrkdwn' ? renderMrkdwn(text.text, reader) : plainNode(text);

/** Slack does not publish when it folds a message; these limits are close to what its client was seen to do. */
const MAX_LETTERS = 700;
const MAX_LINES = 14;

/** Folds what is longer than that behind “Show more”; `text` is what it was drawn from. */
export function Collapsible({ text, drawn }: { text: string; drawn: Drawn }) {
  const [isFolded, setFolded] = useState(true);
  if (text.length <= MAX_LETTERS && text.split('\n').length <= MAX_LINES) return drawn;
  const turn = () => setFolded(!isFolded);
  return html`
    <div class="fold" data-folded=${isFolded ? '' : undefined}>
      ${drawn}
      <button type="button" class="fold-button" aria-expanded=${!isFolded} onClick=${turn}>
        ${isFolded ? 'Show more' : 'Show less'}
      </button>
    </div>`;
}

/**
 * Others (`javascript:`, `data:`) are shown as text. The scheme must come first: `URL` would also accept leading
 * spaces, which Slack does not.
 */
const OPENABLE = /^(?:https?|mailto):/i;

const isOpenable = (address: string) => OPENABLE.test(address) && URL.canParse(address);

/** A link, or only its label where the address is not allowed. */
export const renderLink = (address: string, label: string) =>
  isOpenable(address)
    ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${label}</a>`
    : label;

/**
 * A link to the channel, or words for one that the viewer may not open
 * (docs.slack.dev/messaging/formatting-message-text, “Linking to channels”).
 */
export function renderChannel(id: string, names: Names) {
  const name = names.channel(id);
  if (name === null) return renderMention('private channel', 'channel');
  return html`<a class="mention mention-channel" href=${channelAddress(id)}>#${name}</a>`;
}

export const renderMention = (label: string, kind: 'person' | 'channel' | 'group' | 'everyone') =>
  html`<span class="mention mention-${kind}">${label}</span>`;
