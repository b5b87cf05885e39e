/** Slack's `<…>` tokens: mentions, dates and links. Anything else is shown as written. */
/** @import { ViewerContext } from '../types.d.ts' */

import { h } from '../dom/dom.js';
import { formatDate, showFull } from './dates.js';
import { decoded } from './entities.js';
import { isOpenable, renderLink, renderMention } from './link.js';

/**
 * @param {string} content what stands between `<` and `>`
 * @param {ViewerContext} reader
 * @returns {Node | null}
 */
export function renderToken(content, reader) {
  const bar = content.indexOf('|');
  const target = bar < 0 ? content : content.slice(0, bar);
  const label = bar < 0 ? '' : decoded(content.slice(bar + 1));
  if (/^@[UW]\w+$/.test(target))
    return renderMention(`@${label || reader.names.person(target.slice(1))}`, 'person');
  if (/^#C\w+$/.test(target))
    return renderMention(`#${label || reader.names.channel(target.slice(1))}`, 'channel');
  if (target.startsWith('!')) return special(target.slice(1), label, reader);
  return isOpenable(decoded(target))
    ? renderLink(decoded(target), label || bareAddress(decoded(target)))
    : null;
}

/**
 * @param {string} target
 * @param {string} label
 * @param {ViewerContext} reader
 */
function special(target, label, reader) {
  const [kind = '', ...rest] = target.split('^');
  if (kind === 'here' || kind === 'channel' || kind === 'everyone')
    return renderMention(`@${kind}`, 'everyone');
  if (kind === 'subteam')
    return renderMention(groupLabel(label || reader.names.group(rest[0] ?? '')), 'group');
  if (kind === 'date') return dateNode(rest, label, reader);
  return label ? document.createTextNode(`<${label}>`) : null;
}

/** @param {string} label */
const groupLabel = (label) => (label.startsWith('@') ? label : `@${label}`);

/**
 * @param {readonly string[]} parts
 * @param {string} fallback
 * @param {ViewerContext} reader
 */
function dateNode([seconds = '', format = '', address], fallback, reader) {
  const at = Number(seconds);
  const formatted = formatDate(at, decoded(format), reader.now()) ?? fallback;
  const words = address === undefined ? formatted : renderLink(decoded(address), formatted);
  return h('time', { title: showFull(at * 1000) || null }, words);
}

/** @param {string} address */
const bareAddress = (address) => address.replace(/^mailto:/, '');
