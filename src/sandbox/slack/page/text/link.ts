/** Links and mentions. Only addresses with a harmless scheme become links. */
import { h } from '../dom/dom.ts';
import { channelAddress } from '../navigation/route.ts';
import type { Names } from '../types.ts';

/**
 * Others (`javascript:`, `data:`) are shown as text. The scheme must come first: `URL` would also accept leading
 * spaces, which Slack does not.
 */
const OPENABLE = /^(?:https?|mailto|slack):/i;

export function isOpenable(address: string) {
  return OPENABLE.test(address) && URL.canParse(address);
}

/** A link, or only its label where the address is not allowed. */
export function renderLink(address: string, label: string | Node): Node {
  if (!isOpenable(address)) return typeof label === 'string' ? document.createTextNode(label) : label;
  return h('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/** As a link that is pressed, because some links open in this page. */
export function followLink(address: string, place: HTMLElement) {
  const link = renderLink(address, '');
  if (!(link instanceof HTMLElement)) return;
  place.append(link);
  link.click();
  link.remove();
}

/** A channel that the viewer does not see has no name (docs.slack.dev/messaging/formatting-message-text). */
export const channelLabel = (name: string | null) => (name === null ? 'private channel' : `#${name}`);

/**
 * A link to the channel, or words for one that the viewer may not open
 * (docs.slack.dev/messaging/formatting-message-text, “Linking to channels”).
 */
export function renderChannel(id: string, names: Names): HTMLElement {
  const name = names.channel(id);
  const label = channelLabel(name);
  if (name === null) return renderMention(label, 'channel');
  return h('a', { class: 'mention mention-channel', href: channelAddress(id) }, label);
}

export const renderMention = (label: string, kind: 'person' | 'channel' | 'group' | 'everyone') =>
  h('span', { class: `mention mention-${kind}` }, label);
