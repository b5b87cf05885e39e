/** What stands inside the lines of a rich text. */
/** @import { Reader, RichPart, RichStyle } from '../types.d.ts' */
import { formatDate, showFull } from '../dates.js';
import { h } from '../dom.js';
import { emojiCharacter } from '../emoji.js';
import { undrawable } from '../undrawable.js';
import { link, mention } from './link.js';
import { withSigns } from './signs.js';

/**
 * @param {RichPart} part
 * @param {Reader} reader
 * @returns {Node}
 */
export function richInline(part, reader) {
  const node = plainInline(part, reader);
  return typeof part.style === 'object' ? styled(node, part.style) : node;
}

/**
 * @param {RichPart} part
 * @param {Reader} reader
 * @returns {Node}
 */
function plainInline(part, reader) {
  const { names } = reader;
  switch (part.type) {
    case 'text':
      return withSigns(part.text ?? '');
    case 'link':
      return link(part.url ?? '', part.text || (part.url ?? ''));
    case 'user':
      return mention(`@${names.person(part.user_id ?? '')}`, 'person');
    case 'channel':
      return mention(`#${names.channel(part.channel_id ?? '')}`, 'channel');
    case 'usergroup':
      return mention(`@${names.group(part.usergroup_id ?? '')}`, 'group');
    case 'team':
      return mention('@workspace', 'group');
    case 'broadcast':
      return mention(`@${part.range ?? ''}`, 'everyone');
    case 'emoji':
      return withSigns(emojiOf(part));
    case 'date':
      return date(part, reader);
    case 'color':
      return color(part.value ?? '');
    default:
      return undrawable('element', part);
  }
}

/** By its name, else by its code points (`1f6e0-fe0f`). @param {RichPart} part */
function emojiOf({ name = '', unicode, skin_tone }) {
  const character = emojiCharacter(name, skin_tone);
  if (character !== null) return character;
  const points = unicode && /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i.test(unicode) ? unicode.split('-') : [];
  const numbers = points.map((point) => Number.parseInt(point, 16)).filter((number) => number <= 0x10ffff);
  return numbers.length > 0 ? String.fromCodePoint(...numbers) : `:${name}:`;
}

/**
 * @param {RichPart} part
 * @param {Reader} reader
 */
function date({ timestamp = Number.NaN, format = '', fallback = '', url }, { now }) {
  const shown = formatDate(timestamp, format, now()) ?? fallback;
  return h(
    'time',
    { title: showFull(timestamp * 1000) || null },
    url === undefined ? shown : link(url, shown),
  );
}

/** A colour with a patch of it, where it is one. @param {string} value */
function color(value) {
  const patch = h('span', { class: 'color-patch', 'aria-hidden': 'true' });
  if (/^#[0-9a-f]{3,8}$/i.test(value)) patch.style.backgroundColor = value;
  return h('span', { class: 'color' }, patch, value);
}

/**
 * @param {Node} node
 * @param {RichStyle} style
 * @returns {Node}
 */
function styled(node, { bold, italic, strike, code, underline, highlight }) {
  let out = node;
  if (code) out = h('code', {}, out);
  if (strike) out = h('s', {}, out);
  if (underline) out = h('u', {}, out);
  if (highlight) out = h('mark', {}, out);
  if (italic) out = h('i', {}, out);
  if (bold) out = h('b', {}, out);
  return out;
}
