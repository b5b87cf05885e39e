/** Links and mentions. Only addresses with a harmless scheme become links. */
import { h } from '../dom/dom.ts';

/**
 * Others (`javascript:`, `data:`) are shown as text. The scheme must come first: `URL` would also accept leading
 * spaces, which Slack does not.
 */
const OPENABLE = /^(?:https?|mailto):/i;

export function isOpenable(address: string) {
  return OPENABLE.test(address) && URL.canParse(address);
}

/** A link, or only its label where the address is not allowed. */
export function renderLink(address: string, label: string | Node): Node {
  if (!isOpenable(address)) return typeof label === 'string' ? document.createTextNode(label) : label;
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/** A channel that the viewer does not see has no name (docs.slack.dev/messaging/formatting-message-text). */
export const channelLabel = (name: string | null) => (name === null ? 'private channel' : `#${name}`);

export const renderMention = (label: string, kind: 'person' | 'channel' | 'group' | 'everyone') =>
  h('span', { class: `mention mention-${kind}` }, label);
