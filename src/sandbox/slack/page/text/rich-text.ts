/** Rich text: people's own messages, and cells of the bot's tables. */

import { renderUnsupported } from '../kit.ts';
import { html } from '../preact.ts';
import type { Drawn, RichPart, RichStyle, ViewerContext } from '../types.ts';
import { formatDate, showFull } from './dates.ts';
import { emojiCharacter, withSigns } from './emoji.ts';
import { renderChannel, renderLink, renderMention } from './link.ts';

export const renderRichText = (parts: readonly RichPart[], reader: ViewerContext) =>
  html`<div class="rich-text">${parts.map((part) => renderPart(part, reader))}</div>`;

function renderPart(part: RichPart, reader: ViewerContext): Drawn {
  const { elements = [] } = part;
  const inside = () => elements.map((each) => renderInline(each, reader));
  switch (part.type) {
    case 'rich_text_section':
      return html`<div class="lines">${inside()}</div>`;
    case 'rich_text_quote':
      return html`<blockquote>${inside()}</blockquote>`;
    case 'rich_text_preformatted':
      return html`<pre>${inside()}</pre>`;
    case 'rich_text_list': {
      const items = elements.map((each) => html`<li>${renderPart(each, reader)}</li>`);
      return html`<ul class="rich-list">${items}</ul>`;
    }
    default:
      return renderUnsupported('element', part);
  }
}

function renderInline(part: RichPart, reader: ViewerContext): Drawn {
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
  return html`<time title=${showFull(timestamp * 1000) || undefined}>${words}</time>`;
}

/** The names are those of docs.slack.dev/reference/block-kit/block-elements/text-element. */
function styled(text: Drawn, { bold, italic, strike, code }: RichStyle): Drawn {
  let out = text;
  if (code) out = html`<code>${out}</code>`;
  if (strike) out = html`<s>${out}</s>`;
  if (italic) out = html`<i>${out}</i>`;
  if (bold) out = html`<b>${out}</b>`;
  return out;
}
