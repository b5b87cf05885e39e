/** Connections through a proxy, the same for the management service and for Slack. */
import { Agent, type Dispatcher, Dispatcher1Wrapper, EnvHttpProxyAgent } from 'undici';
import { type Secret, secret } from './log.ts';

/** From HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Addresses may hold credentials. */
export type ProxySettings = {
  readonly http: Secret | null;
  /** Null: encrypted connections use `http` too. */
  readonly https: Secret | null;
  /** Names, `.suffixes` or `*`, each with or without a port, separated by commas or spaces. */
  readonly except: string;
};

/** Whether `text` can be the address of a proxy, including its credentials. */
export function isProxyAddress(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

/** Connections that use the proxy for their address, if there is one. */
export function createDispatcher(
  proxy: ProxySettings | null,
  options: Agent.Options,
): Agent | EnvHttpProxyAgent {
  if (proxy === null) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    // Always set: undici reads a missing option from the environment.
    httpProxy: proxy.http?.reveal() ?? '',
    httpsProxy: proxy.https?.reveal() ?? '',
    noProxy: proxy.except,
  });
}

/** For WebSockets: always a tunnel, because few proxies pass an upgrade on. */
export function createWebSocketDispatcher(proxy: ProxySettings | null): Dispatcher {
  // Over HTTP/2, a WebSocket would not get its own connection.
  return createDispatcher(proxy, { allowH2: false, ...(proxy === null ? {} : { proxyTunnel: true }) });
}

export function createFetch(proxy: ProxySettings): typeof fetch {
  // Node's own fetch accepts the forms and files that Slack's client sends, but needs a dispatcher of undici 7.
  const dispatcher = new Dispatcher1Wrapper(createDispatcher(proxy, { allowH2: false }));
  return (input, init) => fetch(input, Object.assign({}, init, { dispatcher }));
}

/** The proxy that a request to this address uses, without its credentials; null: the request goes directly. */
export function proxyFor(proxy: ProxySettings | null, address: string): string | null {
  const url = new URL(address);
  if (proxy === null || isExcludedByNoProxy(proxy.except, url)) return null;
  const chosen = (url.protocol === 'https:' ? proxy.https : null) ?? proxy.http;
  return chosen === null ? null : new URL(chosen.reveal()).origin;
}

/** Reads NO_PROXY the way undici does. */
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

/** Names of the errors that undici throws when a proxy can't be reached. */
const CONNECT_ERROR_NAMES: readonly string[] = ['ProxyConnectionError', 'SecureProxyConnectionError'];

/** What the proxy did not do, in plain words; null when the error is not about a proxy. */
export function proxyErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const [, status] = /^Proxy response \((\d+)\)/.exec(error.message) ?? [];
  if (status === '407' || error.message.startsWith('Proxy Authentication Required'))
    return 'the proxy requires valid credentials (HTTP 407)';
  if (status !== undefined) return `the proxy refused the connection (HTTP ${status})`;
  if (CONNECT_ERROR_NAMES.includes(error.name)) return 'the connection to the proxy failed';
  return proxyErrorText(error.cause);
}

/** The addresses and the passwords in them, in every form in which they could reach a log. */
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
