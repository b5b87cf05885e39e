/** Content below a message's text, without its attachments: files and reactions. */

import { h, ICONS, icon } from '../dom/dom.ts';
import { emojiCharacter } from '../emoji/emoji.ts';
import { api } from '../state/api.ts';
import { withSigns } from '../text/signs.ts';
import type { Message, RenderContext, SeenFile } from '../types.ts';

const KIB = 1024;

/** `me`: the person who downloads. */
export const renderFiles = (files: readonly SeenFile[], me: string) =>
  files.map((file) => renderFile(file, me));

function renderFile({ id, name, title, size }: SeenFile, me: string) {
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

function sizeText(bytes: number) {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < KIB * KIB ? `${Math.round(bytes / KIB)} kB` : `${(bytes / KIB / KIB).toFixed(1)} MB`;
}

export function renderReactions(
  message: Message,
  { names }: RenderContext,
  { me, react }: { me: string; react: (message: Message, name: string) => void },
) {
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

/** A person's initial on a color of their own, or the app's logo. */
export function avatar(name: string, isBot: boolean) {
  if (isBot) return h('span', { class: 'avatar avatar-bot', 'aria-hidden': 'true' }, icon(ICONS.plug));
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  const initials = name.charAt(0).toUpperCase() + (/\d$/.exec(name)?.[0] ?? '');
  return h('span', { class: `avatar avatar-${sum % COLOURS}`, 'aria-hidden': 'true' }, initials);
}
