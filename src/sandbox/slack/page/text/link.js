/** Links and mentions. An address is opened only where its scheme is harmless. */
import { h } from '../dom/dom.js';

/**
 * Anything else (`javascript:`, `data:`) is shown as text. An address begins with its scheme: `URL` would also take
 * one with blanks before it, which Slack makes no link of.
 */
const OPENABLE = /^(?:https?|mailto):/i;

/** @param {string} address */
export function isOpenable(address) {
  return OPENABLE.test(address) && URL.canParse(address);
}

/**
 * A link, or its words alone where the address may not be opened.
 * @param {string} address
 * @param {string} label
 * @returns {Node}
 */
export function renderLink(address, label) {
  if (!isOpenable(address)) return document.createTextNode(label);
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/**
 * @param {string} label
 * @param {'person' | 'channel' | 'group' | 'everyone'} kind
 */
export const renderMention = (label, kind) => h('span', { class: `mention mention-${kind}` }, label);
