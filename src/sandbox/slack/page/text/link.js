/** Links and mentions. Only addresses with a harmless scheme become links. */
import { h } from '../dom/dom.js';

/**
 * Others (`javascript:`, `data:`) are shown as text. The scheme must come first: `URL` would also accept leading
 * spaces, which Slack does not.
 */
const OPENABLE = /^(?:https?|mailto):/i;

/** @param {string} address */
export function isOpenable(address) {
  return OPENABLE.test(address) && URL.canParse(address);
}

/**
 * A link, or only its label where the address is not allowed.
 * @param {string} address
 * @param {string | Node} label
 * @returns {Node}
 */
export function renderLink(address, label) {
  if (!isOpenable(address)) return typeof label === 'string' ? document.createTextNode(label) : label;
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/**
 * @param {string} label
 * @param {'person' | 'channel' | 'group' | 'everyone'} kind
 */
export const renderMention = (label, kind) => h('span', { class: `mention mention-${kind}` }, label);
