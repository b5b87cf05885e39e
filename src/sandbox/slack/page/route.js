/** Who looks at what, in the address: `#operator/ops`. Reloading keeps it, and Back works. */

/** @typedef {{me: string, channel: string}} Route */

/**
 * @param {string} hash
 * @returns {Partial<Route>}
 */
export function readRoute(hash) {
  const [me, channel] = hash.replace(/^#/, '').split('/').map(decodeSafely);
  return { ...(me ? { me } : {}), ...(channel ? { channel } : {}) };
}

/** @param {Route} route */
export const routeHash = ({ me, channel }) => `#${encodeURIComponent(me)}/${encodeURIComponent(channel)}`;

/**
 * What a permalink of a message names: its channel's id and its `ts`; null for any other address.
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
