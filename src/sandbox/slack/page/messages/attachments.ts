/** Secondary attachments (docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments). */

import { renderBlocks } from '../blocks/index.ts';
import { h } from '../dom/dom.ts';
import { renderImageTag, smallPicture } from '../dom/image.ts';
import { formatDate } from '../text/dates.ts';
import { renderLink } from '../text/link.ts';
import { renderMrkdwn } from '../text/mrkdwn.ts';
import { ATTACHMENT_TEXT, collapsible } from '../text/show-more.ts';
import type { Attachment, RenderContext } from '../types.ts';

export const renderAttachments = (attachments: readonly Attachment[], surface: RenderContext) =>
  attachments.map((each) => renderAttachment(each, surface));

/** Named colors are a green, a yellow and a red. */
const COLOURS: Readonly<Record<string, string | undefined>> = {
  good: '#2eb886',
  warning: '#daa038',
  danger: '#a30200',
};

function renderAttachment(attachment: Attachment, surface: RenderContext) {
  const { pretext, color = '' } = attachment;
  const node = h('div', { class: 'attachment' }, ...contentOf(attachment, surface));
  const border = COLOURS[color] ?? (/^#?[0-9a-f]{6}$/i.test(color) ? `#${color.replace('#', '')}` : '');
  node.style.borderColor = border;
  return h('div', {}, pretext !== undefined && h('div', {}, renderMrkdwn(pretext, surface)), node);
}

/** The fallback is for what shows nothing else. */
function contentOf(attachment: Attachment, surface: RenderContext) {
  const {
    author_name,
    author_link = '',
    author_icon,
    title,
    title_link = '',
    text,
    fields = [],
  } = attachment;
  const { blocks = [], image_url, thumb_url, fallback } = attachment;
  const parts = [
    thumb_url && h('div', { class: 'attachment-thumb' }, renderImageTag(picture('Thumbnail', thumb_url))),
    author_name &&
      h(
        'div',
        { class: 'attachment-author' },
        smallPicture(author_icon),
        renderLink(author_link, author_name),
      ),
    title && h('b', {}, renderLink(title_link, title)),
    text && collapsible(h('div', {}, renderMrkdwn(text, surface)), text, ATTACHMENT_TEXT),
    fields.length > 0 && h('div', { class: 'fields' }, ...fields.map((each) => field(each, surface))),
    ...renderBlocks(blocks, surface),
    image_url && h('figure', {}, renderImageTag(picture('Image', image_url))),
    footer(attachment, surface),
  ].filter((part) => part instanceof Node);
  return parts.length > 0 || fallback === undefined ? parts : [h('div', {}, renderMrkdwn(fallback, surface))];
}

const picture = (alt_text: string, image_url: string) => ({ alt_text, image_url });

/** A short one stands beside another. */
function field(
  { title = '', value = '', short = false }: NonNullable<Attachment['fields']>[number],
  surface: RenderContext,
) {
  return h(
    'div',
    { class: short ? 'field' : 'field wide' },
    title !== '' && h('b', {}, title),
    renderMrkdwn(value, surface),
  );
}

function footer({ footer: words, footer_icon, ts }: Attachment, { now }: RenderContext) {
  const time = ts === undefined ? null : formatDate(Number(ts), '{date_short_pretty} at {time}', now());
  const line = [words, time].filter((part) => part !== undefined && part !== null).join(' | ');
  return line !== '' && h('div', { class: 'attachment-footer' }, smallPicture(footer_icon), line);
}
