/**
 * The address holds person and place: `#operator/ops`, `#operator/@operator/home`. So reloading keeps them, and Back
 * works.
 */
import type { Tab } from '../types.ts';

type PageRoute = { me: string; channel: string; tab?: Tab };

export function readRoute(hash: string): Partial<PageRoute> {
  const [me, channel, tab] = hash.replace(/^#/, '').split('/').map(decodeSafely);
  const side = tab === 'home' || tab === 'about' ? { tab: tab as Tab } : {};
  return { ...(me ? { me } : {}), ...(channel ? { channel } : {}), ...side };
}

export const routeHash = ({ me, channel, tab = 'messages' }: PageRoute) =>
  `#${[me, channel, ...(tab === 'messages' ? [] : [tab])].map(encodeURIComponent).join('/')}`;

export const channelAddress = (id: string) => `/archives/${id}`;

export const messageAddress = (channelId: string, ts: string) =>
  `${channelAddress(channelId)}/p${ts.replace('.', '')}`;

/**
 * The channel of a permalink, and the message where it names one, or that of a `slack://channel` link
 * (docs.slack.dev/interactivity/deep-linking); null for any other address.
 */
export function readPermalink(address: string) {
  const url = URL.parse(address);
  if (url?.protocol === 'slack:' && url.host === 'channel')
    return { channelId: url.searchParams.get('id') ?? '', ts: null };
  const match = url && /^\/archives\/(\w+)(?:\/p(\d+)(\d{6}))?$/.exec(url.pathname);
  if (!match) return null;
  const [, channelId = '', seconds, fraction] = match;
  return { channelId, ts: seconds === undefined ? null : `${seconds}.${fraction}` };
}

/**
 * The tab of the App Home that a `slack://app` link leads to; null for any other address
 * (docs.slack.dev/surfaces/app-home, “Deep linking to App Home”).
 */
export function readAppLink(address: string): Tab | null {
  const url = URL.parse(address);
  if (url?.protocol !== 'slack:' || url.host !== 'app') return null;
  const tab = url.searchParams.get('tab');
  return tab === 'home' || tab === 'about' ? tab : 'messages';
}

function decodeSafely(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
