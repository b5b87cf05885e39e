/** What stands below the text of a message: attachments, files, reactions. */
/** @import { Attachment, Message, MessageFile, Surface } from '../types.d.ts' */
import { api } from '../api.js';
import { drawBlocks } from '../blocks/index.js';
import { h, ICONS, icon } from '../dom.js';
import { emojiCharacter } from '../emoji.js';
import { mrkdwn } from '../text/mrkdwn.js';
import { withSigns } from '../text/signs.js';

const KIB = 1024;

/** @param {readonly Attachment[]} attachments @param {Surface} surface */
export const drawAttachments = (attachments, surface) =>
  attachments.map((each) => drawAttachment(each, surface));

/** @param {Attachment} attachment @param {Surface} surface */
function drawAttachment({ pretext, title, title_link, text, fallback, blocks = [], color }, surface) {
  const words = text ?? (blocks.length === 0 && title === undefined ? fallback : undefined);
  const node = h(
    'div',
    { class: 'attachment' },
    pretext !== undefined && h('div', {}, mrkdwn(pretext, surface)),
    title !== undefined &&
      h('b', {}, title_link === undefined ? title : h('a', { href: title_link, rel: 'noreferrer' }, title)),
    words !== undefined && h('div', {}, mrkdwn(words, surface)),
    ...drawBlocks(blocks, surface),
  );
  if (color !== undefined && /^#?[0-9a-f]{6}$/i.test(color))
    node.style.borderColor = `#${color.replace('#', '')}`;
  return node;
}

/** @param {readonly MessageFile[]} files @param {string} me the person who would download */
export const drawFiles = (files, me) => files.map((file) => drawFile(file, me));

/** @param {MessageFile} file @param {string} me */
function drawFile({ id, name, title, size }, me) {
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
    h('span', { class: 'file-size' }, sizeInWords(size)),
  );
}

/** @param {number} bytes */
function sizeInWords(bytes) {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < KIB * KIB ? `${Math.round(bytes / KIB)} kB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

/**
 * @param {Message} message
 * @param {Surface} surface
 * @param {{me: string, react: (message: Message, name: string) => void}} options
 */
export function drawReactions(message, { names }, { me, react }) {
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
