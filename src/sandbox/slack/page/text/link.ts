/** Links and mentions. Only addresses with a harmless scheme become links. */
import { html } from '../preact.ts';
import { channelAddress } from '../route.ts';
import type { Names } from '../types.ts';

/**
 * Others (`javascript:`, `data:`) are shown as text. The scheme must come first: `URL` would also accept leading
 * spaces, which Slack does not.
 */
const OPENABLE = /^(?:https?|mailto):/i;

export const isOpenable = (address: string) => OPENABLE.test(address) && URL.canParse(address);

/** A link, or only its label where the address is not allowed. */
export const renderLink = (address: string, label: string) =>
  isOpenable(address)
    ? html`<a href=${address} target="_blank" rel="noopener noreferrer">${label}</a>`
    : label;

/**
 * A link to the channel, or words for one that the viewer may not open
 * (docs.slack.dev/messaging/formatting-message-text, “Linking to channels”).
 */
export function renderChannel(id: string, names: Names) {
  const name = names.channel(id);
  if (name === null) return renderMention('private channel', 'channel');
  return html`<a class="mention mention-channel" href=${channelAddress(id)}>#${name}</a>`;
}

export const renderMention = (label: string, kind: 'person' | 'channel' | 'group' | 'everyone') =>
  html`<span class="mention mention-${kind}">${label}</span>`;
