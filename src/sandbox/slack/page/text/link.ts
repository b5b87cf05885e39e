/** Links and mentions. Only addresses with a harmless scheme become links. */
import { h } from '../dom/dom.ts';
import { channelAddress } from '../navigation/route.ts';
import type { Names } from '../types.ts';

/**
 * Others (`javascript:`, `data:`) are shown as text. The scheme must come first: `URL` would also accept leading
 * spaces, which Slack does not.
 */
const OPENABLE = /^(?:https?|mailto):/i;

export function isOpenable(address: string) {
  return OPENABLE.test(address) && URL.canParse(address);
}

/** A link, or only its label where the address is not allowed. */
export function renderLink(address: string, label: string): Node {
  if (!isOpenable(address)) return document.createTextNode(label);
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/**
 * A link to the channel, or words for one that the viewer may not open
 * (docs.slack.dev/messaging/formatting-message-text, “Linking to channels”).
 */
export function renderChannel(id: string, names: Names): HTMLElement {
  const name = names.channel(id);
  if (name === null) return renderMention('private channel', 'channel');
  return h('a', { class: 'mention mention-channel', href: channelAddress(id) }, `#${name}`);
}

export const renderMention = (label: string, kind: 'person' | 'channel' | 'group' | 'everyone') =>
  h('span', { class: `mention mention-${kind}` }, label);
