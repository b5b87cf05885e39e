/**
 * The address holds person and place: `#operator/ops`, `#operator/@operator/home`. So reloading keeps them, and Back
 * works.
 */
/** @import { Tab } from '../types.d.ts' */

/** @typedef {{me: string, channel: string, tab?: Tab}} PageRoute */

/**
 * @param {string} hash
 * @returns {Partial<PageRoute>}
 */
export function readRoute(hash) {
  const [me, channel, tab] = hash.replace(/^#/, '').split('/').map(decodeSafely);
  const side = tab === 'home' || tab === 'about' ? { tab: /** @type {Tab} */ (tab) } : {};
  return { ...(me ? { me } : {}), ...(channel ? { channel } : {}), ...side };
}

/** @param {PageRoute} route */
export const routeHash = ({ me, channel, tab = 'messages' }) =>
  `#${[me, channel, ...(tab === 'messages' ? [] : [tab])].map(encodeURIComponent).join('/')}`;

/**
 * The channel id and `ts` of a message's permalink; null for any other address.
 * @param {string} address
 */
export function readPermalink(address) {
  const match = URL.canParse(address) && /^\/archives\/(\w+)\/p(\d+)(\d{6})$/.exec(new URL(address).pathname);
  return match ? { channelId: match[1] ?? '', ts: `${match[2]}.${match[3]}` } : null;
}

/** @param {string} text */
function decodeSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
