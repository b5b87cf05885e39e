/** Inline elements of a rich text. */

import { h } from '../dom/dom.ts';
import { renderUnsupported } from '../dom/unsupported.ts';
import { emojiCharacter } from '../emoji/emoji.ts';
import { messageAddress } from '../navigation/route.ts';
import type { RichPart, RichStyle, ViewerContext } from '../types.ts';
import { asSeenIn, formatDate, RICH_DATE_TOKENS, showFull } from './dates.ts';
import { channelLabel, renderChannel, renderLink, renderMention } from './link.ts';
import { withSigns } from './signs.ts';

export function renderRichInline(part: RichPart, reader: ViewerContext): Node {
  const node = plainInline(part, reader);
  return typeof part.style === 'object' ? styled(node, part.style) : node;
}

function plainInline(part: RichPart, reader: ViewerContext): Node {
  const { names } = reader;
  switch (part.type) {
    case 'text':
      return withSigns(part.text ?? '');
    case 'link':
      return renderLink(part.url ?? '', part.text || (part.url ?? ''));
    case 'user':
    case 'canvas_user_mention':
      return renderMention(`@${names.person(part.user_id ?? '')}`, 'person');
    case 'channel':
      return renderChannel(part.channel_id ?? '', names);
    case 'usergroup':
      return renderMention(`@${names.group(part.usergroup_id ?? '')}`, 'group');
    case 'team':
      return renderMention('@workspace', 'group');
    case 'broadcast':
      return renderMention(`@${part.range ?? ''}`, 'everyone');
    case 'emoji':
      return withSigns(emojiOf(part));
    case 'date':
      return date(part, reader);
    case 'color':
      return color(part.value ?? '');
    case 'message_mention':
      return messageMention(part, reader);
    case 'canvas_message_unfurl':
      return messageMention(
        { ...part, channel_id: part.root_message_channel ?? '', message_ts: part.root_message_ts ?? '' },
        reader,
      );
    // “Fallback text if attachment not found” (…/block-elements/attachment-mention-element); what the others mean is
    // not in this workspace, so each is the text and the address that it was sent with (their pages).
    case 'attachment_mention':
    case 'canvas':
    case 'citation':
    case 'file':
    case 'list_record':
    case 'work_object_mention':
    case 'workflow_mention':
      return renderLink(part.url ?? '', part.text ?? part.label ?? part.url ?? part.file_id ?? '');
    case 'salesforce_data_field':
      return document.createTextNode(salesforceField(part));
    case 'tag':
      return tag(part);
    default:
      return renderUnsupported('element', part);
  }
}

/** A link to the message (docs.slack.dev/reference/block-kit/block-elements/message-mention-element). */
function messageMention({ channel_id = '', message_ts = '', text }: RichPart, { names }: ViewerContext) {
  const channel = names.channel(channel_id);
  const label = text ?? `Message in ${channelLabel(channel)}`;
  if (channel === null) return renderMention(label, 'channel');
  return h('a', { href: messageAddress(channel_id, message_ts) }, label);
}

/** “When true, display the field label before” (docs.slack.dev/reference/block-kit/block-elements/salesforce-data-field-element). */
const salesforceField = (part: RichPart) =>
  [part.salesforce_include_field_label && part.salesforce_field_label, part.salesforce_record_id]
    .filter(Boolean)
    .join(': ');

/** By name, else by code points (`1f6e0-fe0f`). */
function emojiOf({ name = '', unicode, skin_tone }: RichPart) {
  const character = emojiCharacter(name, skin_tone);
  if (character !== null) return character;
  const points = unicode && /^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*$/i.test(unicode) ? unicode.split('-') : [];
  const numbers = points.map((point) => Number.parseInt(point, 16)).filter((number) => number <= 0x10ffff);
  return numbers.length > 0 ? String.fromCodePoint(...numbers) : `:${name}:`;
}

/** docs.slack.dev/reference/block-kit/block-elements/date-element */
function date(part: RichPart, { now }: ViewerContext) {
  const { timestamp = Number.NaN, format = '', fallback = '', timezone, url } = part;
  const seconds = asSeenIn(timezone, timestamp * 1000) / 1000;
  const formatted = formatDate(seconds, format, asSeenIn(timezone, now()), RICH_DATE_TOKENS) ?? fallback;
  return h(
    'time',
    { title: showFull(timestamp * 1000) || null },
    url === undefined ? formatted : renderLink(url, formatted),
  );
}

/** A color with a swatch, if it is a valid one. */
function color(value: string) {
  const patch = h('span', { class: 'color-patch', 'aria-hidden': 'true' });
  const hex = /^#?([0-9a-f]{3,8})$/i.exec(value)?.[1];
  if (hex !== undefined) patch.style.backgroundColor = `#${hex}`;
  return h('span', { class: 'color' }, patch, value);
}

/** Its colors have the names of CSS (docs.slack.dev/reference/block-kit/block-elements/tag-element). */
function tag({ text = '', color: name = 'gray' }: RichPart) {
  const node = h('span', { class: 'tag' }, withSigns(text));
  node.style.setProperty('--tag', name);
  return node;
}

/** The names are those of docs.slack.dev/reference/block-kit/block-elements/text-element and its neighbors. */
function styled(node: Node, { bold, italic, strike, code, underline, ...more }: RichStyle): Node {
  const { highlight, client_highlight, unlink } = more;
  let out = unlink && node instanceof HTMLAnchorElement ? h('span', {}, ...node.childNodes) : node;
  if (code) out = h('code', {}, out);
  if (strike) out = h('s', {}, out);
  if (underline) out = h('u', {}, out);
  if (highlight || client_highlight) out = h('mark', {}, out);
  if (italic) out = h('i', {}, out);
  if (bold) out = h('b', {}, out);
  return out;
}
