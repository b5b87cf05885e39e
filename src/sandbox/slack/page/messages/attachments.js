/** Content below a message's text: attachments, files, reactions. */
/** @import { Attachment, Message, MessageFile, RenderContext } from '../types.d.ts' */

import { renderBlocks } from '../blocks/index.js';
import { h, ICONS, icon } from '../dom/dom.js';
import { emojiCharacter } from '../emoji/emoji.js';
import { api } from '../state/api.js';
import { renderMrkdwn } from '../text/mrkdwn.js';
import { withSigns } from '../text/signs.js';

const KIB = 1024;

/** @param {readonly Attachment[]} attachments @param {RenderContext} surface */
export const renderAttachments = (attachments, surface) =>
  attachments.map((each) => renderAttachment(each, surface));

/** @param {Attachment} attachment @param {RenderContext} surface */
function renderAttachment({ pretext, title, title_link, text, fallback, blocks = [], color }, surface) {
  const words = text ?? (blocks.length === 0 && title === undefined ? fallback : undefined);
  const node = h(
    'div',
    { class: 'attachment' },
    pretext !== undefined && h('div', {}, renderMrkdwn(pretext, surface)),
    title !== undefined &&
      h('b', {}, title_link === undefined ? title : h('a', { href: title_link, rel: 'noreferrer' }, title)),
    words !== undefined && h('div', {}, renderMrkdwn(words, surface)),
    ...renderBlocks(blocks, surface),
  );
  if (color !== undefined && /^#?[0-9a-f]{6}$/i.test(color))
    node.style.borderColor = `#${color.replace('#', '')}`;
  return node;
}

/** @param {readonly MessageFile[]} files @param {string} me the person who would download */
export const renderFiles = (files, me) => files.map((file) => renderFile(file, me));

/** @param {MessageFile} file @param {string} me */
function renderFile({ id, name, title, size }, me) {
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

/** @param {number} bytes */
function sizeText(bytes) {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < KIB * KIB ? `${Math.round(bytes / KIB)} kB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

/**
 * @param {Message} message
 * @param {RenderContext} surface
 * @param {{me: string, react: (message: Message, name: string) => void}} options
 */
export function renderReactions(message, { names }, { me, react }) {
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

/** Number of avatar colors in the style sheet. */
const COLOURS = 7;

/**
 * A person's initial on a color of their own, or the app's logo.
 * @param {string} name
 * @param {boolean} isBot
 */
export function avatar(name, isBot) {
  if (isBot) return h('span', { class: 'avatar avatar-bot', 'aria-hidden': 'true' }, icon(ICONS.plug));
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  const initials = name.charAt(0).toUpperCase() + (/\d$/.exec(name)?.[0] ?? '');
  return h('span', { class: `avatar avatar-${sum % COLOURS}`, 'aria-hidden': 'true' }, initials);
}
