import { h, ICONS, icon } from '../dom.js';

/** How many colours the style sheet has for people. */
const COLOURS = 7;

/**
 * A person's initial on a colour of their own, or the app's mark.
 * @param {string} name
 * @param {boolean} isBot
 */
export function avatar(name, isBot) {
  if (isBot) return h('span', { class: 'avatar avatar-bot', 'aria-hidden': 'true' }, icon(ICONS.plug));
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  const initials = name.charAt(0).toUpperCase() + (/\d$/.exec(name)?.[0] ?? '');
  return h('span', { class: `avatar avatar-${sum % COLOURS}`, 'aria-hidden': 'true' }, initials);
}
