/** The way out through a proxy, the same for the management service and for Slack. */
import { Agent, type Dispatcher, Dispatcher1Wrapper, EnvHttpProxyAgent } from 'undici';
import { type Secret, secret } from './secret.ts';

/** As HTTP_PROXY, HTTPS_PROXY and NO_PROXY say it. Addresses may hold credentials. */
export type ProxySettings = {
  readonly http: Secret | null;
  /** Null: what is encrypted goes through `http` too. */
  readonly https: Secret | null;
  /** Hosts that are reached straight: names, `.suffixes`, `*`, each with or without a port; commas or spaces between. */
  readonly except: string;
};

/** Whether it can be the address of a proxy, credentials and all. */
export function isProxyAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

/** Connections that go through the proxy where there is one for their address. */
export function createDispatcher(
  proxy: ProxySettings | null,
  options: Agent.Options,
): Agent | EnvHttpProxyAgent {
  if (proxy === null) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    // Said in every case: what is left out is read from the environment again.
    httpProxy: proxy.http?.reveal() ?? '',
    httpsProxy: proxy.https?.reveal() ?? '',
    noProxy: proxy.except,
  });
}

/** For WebSockets: always a tunnel, because few proxies pass an upgrade on. */
export function createWebSocketDispatcher(proxy: ProxySettings | null): Dispatcher {
  // With HTTP/2 a WebSocket would not have a connection of its own.
  return createDispatcher(proxy, { allowH2: false, ...(proxy === null ? {} : { proxyTunnel: true }) });
}

/** `fetch` through the proxy. */
export function createFetch(proxy: ProxySettings): typeof fetch {
  // Node's own fetch knows forms and files that Slack's client sends; it speaks to dispatchers as they were in undici 7.
  const dispatcher = new Dispatcher1Wrapper(createDispatcher(proxy, { allowH2: false }));
  return (input, init) => fetch(input, Object.assign({}, init, { dispatcher }));
}

/** The proxy that a request to this address takes, without its credentials; null: it goes straight. */
export function proxyFor(proxy: ProxySettings | null, address: string): string | null {
  const url = new URL(address);
  if (proxy === null || isExcludedByNoProxy(proxy.except, url)) return null;
  const chosen = (url.protocol === 'https:' ? proxy.https : null) ?? proxy.http;
  return chosen === null ? null : new URL(chosen.reveal()).origin;
}

/** As undici reads NO_PROXY. */
function isExcludedByNoProxy(except: string, url: URL): boolean {
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1').replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return except.split(/[,\s]+/).some((entry) => {
    const [, name = '', at = port] = /^\[(.+)\](?::(\d+))?$/.exec(entry) ??
      /^([^:]+):(\d+)$/.exec(entry) ?? ['', entry];
    if (name === '' || at !== port) return false;
    if (name === '*') return true;
    const bare = name
      .replace(/^\*?\./, '')
      .replace(/\.$/, '')
      .toLowerCase();
    return host.endsWith(`.${bare}`) || (host === bare && !name.startsWith('*'));
  });
}

/** Names of errors with which undici says that a proxy could not be reached. */
const CONNECT_ERROR_NAMES: readonly string[] = ['ProxyConnectionError', 'SecureProxyConnectionError'];

/** What a proxy did not do, in plain words; null where it was no proxy. */
export function proxyErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const [, status] = /^Proxy response \((\d+)\)/.exec(error.message) ?? [];
  if (status === '407' || error.message.startsWith('Proxy Authentication Required'))
    return 'the proxy requires valid credentials (HTTP 407)';
  if (status !== undefined) return `the proxy refused the connection (HTTP ${status})`;
  if (CONNECT_ERROR_NAMES.includes(error.name)) return 'the connection to the proxy failed';
  return proxyErrorText(error.cause);
}

/** The passwords in the addresses, and those whole: none of them belongs in a log. */
export function proxySecrets(proxy: ProxySettings | null): readonly Secret[] {
  return [proxy?.http, proxy?.https].flatMap((address) => {
    if (address === null || address === undefined) return [];
    const { username, password } = new URL(address.reveal());
    if (username === '') return [];
    const plain = decodeURIComponent(password === '' ? username : password);
    const basic = btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    return [address, secret(password === '' ? username : password), secret(plain), secret(basic)];
  });
}
