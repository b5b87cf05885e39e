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

const isDeepLink = (url: URL | null, to: string) => url?.protocol === 'slack:' && url.host === to;
const isRedirect = (url: URL | null) => url?.host === 'slack.com' && url.pathname === '/app_redirect';

export type Permalink = {
  readonly channelId: string;
  /** Null for a link to a channel. */
  readonly ts: string | null;
  /** The thread of a reply (docs.slack.dev/reference/methods/chat.getPermalink, “Handles message threads”). */
  readonly thread: string | null;
};

/**
 * The channel of a permalink, and the message where it names one, or that of a link to a channel
 * (docs.slack.dev/interactivity/deep-linking), by id or name; null for any other address.
 */
export function readPermalink(address: string): Permalink | null {
  const url = URL.parse(address);
  const ofChannel = (channelId: string) => ({ channelId, ts: null, thread: null });
  if (isDeepLink(url, 'channel')) return ofChannel(url?.searchParams.get('id') ?? '');
  const redirected = isRedirect(url) ? url?.searchParams.get('channel') : null;
  if (redirected) return ofChannel(redirected);
  const match = url && /^\/archives\/(\w+)(?:\/p(\d+)(\d{6}))?$/.exec(url.pathname);
  if (!match) return null;
  const [, channelId = '', seconds, fraction] = match;
  if (seconds === undefined) return ofChannel(channelId);
  return { channelId, ts: `${seconds}.${fraction}`, thread: url.searchParams.get('thread_ts') };
}

/**
 * The tab of the App Home that a `slack://app` link leads to (docs.slack.dev/surfaces/app-home, “Deep linking to App
 * Home”), or an `app_redirect` to the app; null for any other address.
 */
export function readAppLink(address: string): Tab | null {
  const url = URL.parse(address);
  if (isRedirect(url) && url?.searchParams.has('app')) return 'messages';
  if (!isDeepLink(url, 'app')) return null;
  const tab = url?.searchParams.get('tab');
  return tab === 'home' || tab === 'about' ? tab : 'messages';
}

/** The person or app whose direct message a link opens; null for any other address. */
export function readUserLink(address: string): string | null {
  const url = URL.parse(address);
  return isDeepLink(url, 'user') ? (url?.searchParams.get('id') ?? '') : null;
}

function decodeSafely(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
