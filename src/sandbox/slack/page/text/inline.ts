/** mrkdwn inside a line: styles, code, `<…>` tokens, bare addresses, emoji, entities. */

import { h } from '../dom/dom.ts';
import { EMOJI_NAME, emojiCharacter } from '../emoji/emoji.ts';
import type { ViewerContext } from '../types.ts';
import { decoded } from './entities.ts';
import { renderLink } from './link.ts';
import { withSigns } from './signs.ts';
import { renderToken } from './token.ts';

/** Maximum nesting of styles: nobody writes more, and hostile text must not exhaust the stack. */
const MAX_DEPTH = 6;

const EMOJI_HERE = new RegExp(EMOJI_NAME, 'y');

type InlineMatch = { end: number; node: Node };
type InlineScan = ViewerContext & { depth: number; barren: Map<string, number> };

const STYLES: Readonly<Record<string, 'b' | 'i' | 's' | undefined>> = { '*': 'b', _: 'i', '~': 's' };

export function renderInline(text: string, reader: ViewerContext, depth = 0): DocumentFragment {
  const out = document.createDocumentFragment();
  const scan: InlineScan = { ...reader, depth, barren: new Map() };
  let plainFrom = 0;
  let at = 0;
  while (at < text.length) {
    const found = findAt(text, at, scan);
    if (found) {
      out.append(withSigns(decoded(text.slice(plainFrom, at))), found.node);
      at = plainFrom = found.end;
    } else at += 1;
  }
  out.append(withSigns(decoded(text.slice(plainFrom))));
  return out;
}

function findAt(text: string, at: number, scan: InlineScan): InlineMatch | null {
  const mark = text[at] ?? '';
  if (mark === '`') return code(text, at);
  if (mark === '<') return token(text, at, scan);
  if (mark === ':') return emoji(text, at);
  if (mark === 'h') return scan.isVerbatim ? null : address(text, at);
  const tag = STYLES[mark];
  return tag && scan.depth < MAX_DEPTH ? styled(text, at, tag, scan) : null;
}

/** Matches a sticky expression at exactly this position. */
function matchAt(sticky: RegExp, text: string, at: number) {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

function code(text: string, at: number) {
  const match = matchAt(/`([^`\n]+)`/y, text, at);
  return match && { end: at + match[0].length, node: h('code', {}, decoded(match[1] ?? '')) };
}

function token(text: string, at: number, scan: InlineScan) {
  const match = matchAt(/<([^<>\n]{1,3500})>/y, text, at);
  const node = match && renderToken(match[1] ?? '', scan);
  return node && { end: at + match[0].length, node };
}

function emoji(text: string, at: number) {
  const match = matchAt(EMOJI_HERE, text, at);
  const character = match && emojiCharacter(match[1] ?? '');
  if (!character) return null;
  return { end: at + match[0].length, node: withSigns(character) };
}

/** Slack turns bare addresses into links too. */
function address(text: string, at: number) {
  if (isWord(text[at - 1])) return null;
  const match = matchAt(/https?:\/\/[^\s<>|`]+/y, text, at);
  if (!match) return null;
  const found = match[0].replace(/[.,;:!?)*_~'"]+$/, '');
  return { end: at + found.length, node: renderLink(decoded(found), decoded(found)) };
}

function styled(text: string, at: number, tag: 'b' | 'i' | 's', scan: InlineScan) {
  const mark = text[at] ?? '';
  const next = text[at + 1] ?? ' ';
  if (isWord(text[at - 1]) || /\s/.test(next) || next === mark) return null;
  const end = closing(text, at, mark, scan);
  if (end === null) return null;
  const node = h(tag, {}, renderInline(text.slice(at + 1, end), scan, scan.depth + 1));
  return { end: end + 1, node };
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
