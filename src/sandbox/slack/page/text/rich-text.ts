/** Rich text: people's own messages, and cells of the bot's tables. */

import { h, renderUnsupported } from '../dom/dom.ts';
import type { Block, RichPart, RichStyle, ViewerContext } from '../types.ts';
import { formatDate, showFull } from './dates.ts';
import { emojiCharacter, withSigns } from './emoji.ts';
import { renderChannel, renderLink, renderMention } from './link.ts';

export function renderRichText(block: Block, reader: ViewerContext) {
  // The elements of a rich text are parts; those of other blocks are elements.
  const parts = (block.elements ?? []) as readonly RichPart[];
  return h('div', { class: 'rich-text' }, ...parts.map((part) => renderRichPart(part, reader)));
}

function renderRichPart(part: RichPart, reader: ViewerContext): HTMLElement {
  const elements = part.elements ?? [];
  const inside = () => elements.map((each) => renderInline(each, reader));
  switch (part.type) {
    case 'rich_text_section':
      return h('div', { class: 'lines' }, ...inside());
    case 'rich_text_quote':
      return h('blockquote', {}, ...inside());
    case 'rich_text_preformatted':
      return h('pre', {}, ...inside());
    case 'rich_text_list': {
      const items = elements.map((each) => h('li', {}, renderRichPart(each, reader)));
      return h('ul', { class: 'rich-list' }, ...items);
    }
    default:
      return renderUnsupported('element', part);
  }
}

function renderInline(part: RichPart, reader: ViewerContext): Node {
  const { names } = reader;
  switch (part.type) {
    case 'text':
      return styled(withSigns(part.text ?? ''), part.style ?? {});
    case 'link':
      return renderLink(part.url ?? '', part.text || (part.url ?? ''));
    case 'user':
      return renderMention(`@${names.person(part.user_id ?? '')}`, 'person');
    case 'channel':
      return renderChannel(part.channel_id ?? '', names);
    case 'usergroup':
      return renderMention(`@${names.group(part.usergroup_id ?? '')}`, 'group');
    case 'broadcast':
      return renderMention(`@${part.range ?? ''}`, 'everyone');
    case 'emoji':
      return withSigns(emojiCharacter(part.name ?? '') ?? `:${part.name ?? ''}:`);
    case 'date':
      return date(part, reader);
    default:
      return renderUnsupported('element', part);
  }
}

/** docs.slack.dev/reference/block-kit/block-elements/date-element */
function date({ timestamp = Number.NaN, format = '', fallback = '' }: RichPart, { now }: ViewerContext) {
  const words = formatDate(timestamp, format, now()) ?? fallback;
  return h('time', { title: showFull(timestamp * 1000) || null }, words);
}

/** The names are those of docs.slack.dev/reference/block-kit/block-elements/text-element. */
function styled(node: Node, { bold, italic, strike, code }: RichStyle): Node {
  let out = node;
  if (code) out = h('code', {}, out);
  if (strike) out = h('s', {}, out);
  if (italic) out = h('i', {}, out);
  if (bold) out = h('b', {}, out);
  return out;
}
