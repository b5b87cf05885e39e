/** Connections through a proxy, with a real one on loopback. */
import type { LookupFunction } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFleetClient } from '../../src/fleet/client.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { deviceId, organizationId } from '../../src/lib/ids.ts';
import { secret, silentLog } from '../../src/lib/log.ts';
import { createDispatcher, createFetch, type ProxySettings, proxyFor } from '../../src/lib/proxy.ts';
import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';
import { createClients } from '../../src/slack/web-api/clients.ts';
import { readSlackError, slackErrorText } from '../../src/slack/web-api/slack-errors.ts';
import { type ProxyServer, startProxy } from '../harness/proxy-server.ts';
import { slackAt } from '../harness/slack-at.ts';

let proxy: ProxyServer;
beforeEach(async () => {
  proxy = await startProxy();
});
afterEach(() => proxy.stop());

const settings = (except = '', credentials?: string): ProxySettings => ({
  http: secret(proxy.address(credentials)),
  https: null,
  except,
});

/** A service that records its requests. */
async function startService(): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const { url, stop } = await listenOnLoopback((server) =>
    server.on('request', (request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? ''}`);
      response.setHeader('content-type', 'application/json');
      request.resume().on('end', () => response.end('[]'));
    }),
  );
  onTestFinished(stop);
  return { url, asked };
}

function fleetAt(baseUrl: string, through: ProxySettings) {
  const apiKey = secret('key-of-the-service');
  const fleet = createFleetClient({ baseUrl, apiKey, organizationId: organizationId(1), proxy: through });
  onTestFinished(fleet.close);
  return fleet;
}
const readAll = async (fleet: ReturnType<typeof fleetAt>): Promise<void> => {
  for await (const _ of fleet.reader.groups()) break;
};
const failureOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof FleetFailure) return `${error.error.kind}: ${error.error.detail}`;
  }
  return 'none';
};

describe('the management service', () => {
  it('is read and written through the proxy, with its credentials', async () => {
    const { url, asked } = await startService();
    const fleet = fleetAt(`${url}/api`, settings('', 'me:p%40ss'));
    await readAll(fleet);
    await fleet.writer.issue(deviceId(7), { kind: 'scan' });
    expect(asked).toHaveLength(2);
    expect(proxy.seen.map((line) => line.split('?')[0])).toEqual([
      `GET ${url}/api/servergroups`,
      `POST ${url}/api/servers/7/queues`,
    ]);
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${btoa('me:p@ss')}`]));
  });

  it('is reached directly when NO_PROXY names it', async () => {
    const { url, asked } = await startService();
    await readAll(fleetAt(url, settings('localhost, 127.0.0.1')));
    expect([asked.length, proxy.seen]).toEqual([1, []]);
  });

  it('that is encrypted is reached through a tunnel', async () => {
    proxy.refuse(403);
    const failed = await failureOf(readAll(fleetAt('https://fleet.invalid/api', settings())));
    expect(proxy.seen[0]).toBe('CONNECT fleet.invalid:443');
    expect(failed).toMatch(/^unreachable: the proxy refused the connection \(HTTP 403\)/);
  });

  it('is certainly not reached through a proxy that wants other credentials', async () => {
    proxy.refuse(407);
    const fleet = fleetAt('https://fleet.invalid/api', settings('', 'me:wrong'));
    const outcome = await fleet.writer.issue(deviceId(7), { kind: 'scan' });
    expect(outcome).toMatchObject({
      kind: 'unsent',
      error: { detail: expect.stringMatching(/^the proxy requires valid credentials \(HTTP 407\)/) },
    });
    expect(JSON.stringify(outcome)).not.toContain('wrong');
  });

  it('reports when the proxy itself is missing', async () => {
    const gone = settings();
    await proxy.stop();
    expect(await failureOf(readAll(fleetAt('https://fleet.invalid/api', gone)))).toMatch(
      /^unreachable: no connection through the proxy \(ECONNREFUSED\)/,
    );
    proxy = await startProxy();
  });
});

describe('Slack', () => {
  const clientsAt = (apiUrl: string, proxy: ProxySettings) =>
    createClients({ ...slackAt(apiUrl), proxy }, silentLog);

  it('is called through the proxy', async () => {
    const { url } = await startService();
    await clientsAt(`${url}/api/`, settings())
      .writes.auth.test()
      .catch(() => undefined);
    expect(proxy.seen).toEqual([`POST ${url}/api/auth.test`]);
  });

  it('receives whole files through the proxy', async () => {
    const { url, asked } = await startService();
    const body = new FormData();
    body.append('file', new Blob(['a,b']), 'list.csv');
    const answer = await createFetch(settings())(`${url}/upload`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(asked[0]).toMatch(/^POST \/upload multipart\/form-data; boundary=/);
    expect(proxy.seen).toEqual([`POST ${url}/upload`]);
  });

  it('reports why the proxy failed', async () => {
    proxy.refuse(407);
    const { writes } = clientsAt('https://slack.invalid/api/', settings());
    const error = await writes.auth.test().catch((thrown: unknown) => thrown);
    expect(slackErrorText(readSlackError(error))).toBe('the proxy requires valid credentials (HTTP 407)');
  });
});

describe('the proxy of an address', () => {
  it.each([
    ['', 'http://a.test'],
    ['a.test', 'http://a.test'],
    ['A.test', 'http://a.test'],
    ['a.test', 'http://b.a.test'],
    ['.a.test', 'http://b.a.test'],
    ['.a.test', 'http://a.test'],
    ['*.a.test', 'http://a.test'],
    ['*.a.test', 'http://b.a.test'],
    ['b.test, a.test', 'http://a.test'],
    ['b.test a.test', 'http://a.test'],
    ['a.test', 'http://ba.test'],
    ['a.test:8080', 'http://a.test'],
    ['a.test:8080', 'http://a.test:8080'],
    ['a.test:443', 'https://a.test'],
    ['*', 'http://a.test'],
    ['*:80', 'https://a.test'],
    ['[::1]', 'http://[::1]:9'],
    ['::1', 'http://[::1]:9'],
    ['[::1]:8', 'http://[::1]:9'],
    ['a.test.', 'http://a.test'],
    ['a.test', 'http://a.test.'],
  ])('with NO_PROXY=%j and %s is the expected one', async (except, url) => {
    proxy.refuse(403);
    const lookup: LookupFunction = (_host, _options, done) => done(new Error('direct'), '');
    const dispatcher = createDispatcher(settings(except), { connect: { lookup } });
    onTestFinished(() => dispatcher.destroy());
    const { origin } = new URL(url);
    await dispatcher.request({ origin, path: '/', method: 'GET' }).catch(() => undefined);
    expect(proxyFor(settings(except), url)).toBe(proxy.seen.length > 0 ? proxy.address() : null);
  });

  it('is given without credentials', () => {
    expect(proxyFor(settings('', 'me:secret-word'), 'http://a.test')).toBe(proxy.address());
  });

  it('is the one for encrypted addresses if there is one', () => {
    const both = { ...settings(), https: secret('http://other.test:3128') };
    expect(proxyFor(both, 'https://a.test')).toBe('http://other.test:3128');
    expect(proxyFor(both, 'http://a.test')).toBe(proxy.address());
    expect(proxyFor({ ...both, http: null }, 'http://a.test')).toBeNull();
  });
});
