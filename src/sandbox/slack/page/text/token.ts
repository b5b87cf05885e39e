/** Slack's `<…>` tokens: mentions, dates and links. Anything else is shown as written. */

import { h } from '../dom/dom.ts';
import type { ViewerContext } from '../types.ts';
import { formatDate, showFull } from './dates.ts';
import { decoded } from './entities.ts';
import { isOpenable, renderChannel, renderLink, renderMention } from './link.ts';

/** `content`: the text between `<` and `>`. */
export function renderToken(content: string, reader: ViewerContext): Node | null {
  const bar = content.indexOf('|');
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? '' : decoded(content.slice(bar + 1));
  if (/^@[UW]\w+$/.test(target))
    return renderMention(`@${label || reader.names.person(target.slice(1))}`, 'person');
  if (/^#C\w+$/.test(target)) return renderChannel(target.slice(1), reader.names);
  if (target.startsWith('!')) return special(target.slice(1), label, reader);
  const address = openableAddress(decoded(target));
  return address === null ? null : renderLink(address, label || bareAddress(decoded(target)));
}

/** A host without a scheme is a link as well (docs.slack.dev/block-kit, its first example). */
function openableAddress(target: string) {
  if (isOpenable(target)) return target;
  const address = `http://${target}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(target) && isOpenable(address) ? address : null;
}

function special(target: string, label: string, reader: ViewerContext) {
  const [kind = '', ...rest] = target.split('^');
  if (kind === 'here' || kind === 'channel' || kind === 'everyone')
    return renderMention(`@${kind}`, 'everyone');
  if (kind === 'subteam')
    return renderMention(groupLabel(label || reader.names.group(rest[0] ?? '')), 'group');
  if (kind === 'date') return dateNode(rest, label, reader);
  return label ? document.createTextNode(`<${label}>`) : null;
}

const groupLabel = (label: string) => (label.startsWith('@') ? label : `@${label}`);

function dateNode(
  [seconds = '', format = '', address]: readonly string[],
  fallback: string,
  reader: ViewerContext,
) {
  const at = Number(seconds);
  const formatted = formatDate(at, decoded(format), reader.now()) ?? fallback;
  const words = address === undefined ? formatted : renderLink(decoded(address), formatted);
  return h('time', { title: showFull(at * 1000) || null }, words);
}

const bareAddress = (address: string) => address.replace(/^mailto:/, '');
