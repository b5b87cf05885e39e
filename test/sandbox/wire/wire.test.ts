import { Agent, get, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import type { FaultKind, Served, ServiceName, Wire } from '../../../src/sandbox/contracts/services.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';
import { until } from '../../harness/until.ts';

const START = instant(1_800_000_000_000);
let wire: Wire;
let worked: string[];
const served: Served[] = [];

beforeEach(() => {
  wire = createWire({ clock: createManualClock(START) });
  worked = [];
});
afterEach(async () => {
  await Promise.all(served.splice(0).map((server) => server.stop()));
});

async function serve(
  service: ServiceName,
  answer: (request: Request) => Response = () => Response.json({ fine: true }),
) {
  const server = await wire.serve({
    service,
    fetch: async (asked) => {
      worked.push(`${asked.method} ${new URL(asked.url).pathname} ${await asked.text()}`);
      return answer(asked);
    },
  });
  served.push(server);
  return server;
}

describe('the journal', () => {
  test('notes every request with its time, method, path and answered status', async () => {
    const { url } = await serve('management', () => new Response('', { status: 201 }));
    await fetch(`${url}/servers/7/queues?o=1`, { method: 'POST', body: '{"command_type_name":"Reboot"}' });
    const work = { sent: { body: { command_type_name: 'Reboot' } }, done: { at: START, status: 201 } };
    expect(wire.journal()).toEqual([
      { at: START, service: 'management', method: 'POST', path: '/servers/7/queues', status: 201, ...work },
    ]);
    expect(worked).toEqual(['POST /servers/7/queues {"command_type_name":"Reboot"}']);
  });

  test('keeps the services apart', async () => {
    const management = await serve('management');
    const slack = await serve('slack');
    await fetch(`${management.url}/events`);
    await fetch(`${slack.url}/api/auth.test`, { method: 'POST' });
    expect(wire.journal('slack').map((entry) => entry.path)).toEqual(['/api/auth.test']);
    expect(wire.journal()).toHaveLength(2);
  });

  test.each([
    ['management', '/servers?api_key=verysecret&o=1', '/servers'],
    ['management', '/servers%3Fapi_key=verysecret&o=1', '/servers%3Fapi_key=[masked]'],
    ['management', '/servers%3fAPI_KEY%3dverysecret', '/servers%3fAPI_KEY%3d[masked]'],
    ['slack', '/api/chat.postMessage?token=xoxb-secret', '/api/chat.postMessage'],
    ['slack', '/commands/T0001/42/verysecret', '/commands/T0001/42/[masked]'],
    ['slack', '/response/verysecret', '/response/[masked]'],
    ['slack', '/link?ticket=verysecret', '/link'],
  ] as const)('of %s never shows what is secret in %s', async (service, asked, shown) => {
    const { url } = await serve(service);
    await fetch(`${url}${asked}`);
    expect(wire.journal()[0]?.path).toBe(shown);
  });

  test('is empty again after a reset', async () => {
    const { url } = await serve('management');
    await fetch(url);
    wire.reset();
    expect(wire.journal()).toEqual([]);
  });
});

describe('a fault', () => {
  function inject(service: ServiceName, kind: FaultKind, more: Record<string, number> = {}) {
    wire.inject({ service, match: 'GET /servers', kind, times: 1, ...more });
  }

  test('meets as many requests as it was given, then no more', async () => {
    const { url } = await serve('management');
    wire.inject({ service: 'management', match: 'GET /servers', kind: 'status', status: 500, times: 2 });
    const statuses: number[] = [];
    for (let asked = 0; asked < 3; asked += 1) statuses.push((await fetch(`${url}/servers`)).status);
    expect(statuses).toEqual([500, 500, 200]);
    expect(wire.journal().map((entry) => entry.status)).toEqual([500, 500, 200]);
  });

  test('can name one part of a path as the interface does, whatever stands there', async () => {
    const { url } = await serve('management');
    wire.inject({ service: 'management', match: 'GET /servers/{id}/queues', kind: 'status' });
    const ask = async (path: string) => (await fetch(`${url}${path}`)).status;
    expect(await ask('/servers/4001/queues')).toBe(500);
    expect(await ask('/servers/4002/queues')).toBe(500);
    for (const path of ['/servers/4001', '/servers/queues', '/servers/4001/packages/queues'])
      expect(await ask(path)).toBe(200);
  });

  test('without a count stays until it is removed', async () => {
    const { url } = await serve('management');
    wire.inject({ service: 'management', match: '/servers', kind: 'status' });
    expect((await fetch(`${url}/servers`)).status).toBe(500);
    expect((await fetch(`${url}/servers`)).status).toBe(500);
    wire.clearFaults();
    expect((await fetch(`${url}/servers`)).status).toBe(200);
  });

  test('is listed with how many requests it will still meet, until it has met them or was removed', async () => {
    const { url } = await serve('management');
    wire.inject({ service: 'management', match: 'GET /servers', kind: 'status', status: 503, times: 2 });
    wire.inject({ service: 'slack', match: 'chat.update', kind: 'slow', ms: 100 });
    const forever = { service: 'slack', match: 'chat.update', kind: 'slow', ms: 100, left: null };
    const counted = { service: 'management', match: 'GET /servers', kind: 'status', status: 503 };
    expect(wire.faults()).toEqual([{ ...counted, left: 2 }, forever]);
    await fetch(`${url}/servers`);
    expect(wire.faults()).toEqual([{ ...counted, left: 1 }, forever]);
    await fetch(`${url}/servers`);
    expect(wire.faults()).toEqual([forever]);
    wire.clearFaults();
    expect(wire.faults()).toEqual([]);
  });

  test('leaves other methods, paths and services alone', async () => {
    const management = await serve('management');
    const slack = await serve('slack');
    inject('management', 'status');
    expect((await fetch(`${management.url}/servers`, { method: 'POST' })).status).toBe(200);
    expect((await fetch(`${management.url}/events`)).status).toBe(200);
    expect((await fetch(`${slack.url}/servers`)).status).toBe(200);
  });

  test.each([
    [401, { errors: ['Unauthorized'] }],
    [404, { errors: ['Not found'] }],
    [500, { errors: ['Server Error'] }],
  ])('of status %i looks like the management service', async (status, body) => {
    const { url } = await serve('management');
    inject('management', 'status', { status });
    const answer = await fetch(`${url}/servers`);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(body);
    expect(worked).toEqual([]);
  });

  test('of a gateway status is answered in HTML', async () => {
    const { url } = await serve('management');
    inject('management', 'status', { status: 502 });
    const answer = await fetch(`${url}/servers`);
    expect(answer.headers.get('content-type')).toContain('text/html');
    expect(await answer.text()).toContain('502 Bad Gateway');
  });

  test('of throttling speaks as each service does: Slack says how long to wait', async () => {
    const management = await serve('management');
    const slack = await serve('slack');
    inject('management', 'throttle');
    inject('slack', 'throttle', { retry_after: 7 });
    const first = await fetch(`${management.url}/servers`);
    const second = await fetch(`${slack.url}/servers`);
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, null]);
    expect(await first.json()).toEqual({ errors: ['Too Many Requests!'] });
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await second.json()).toEqual({ ok: false, error: 'ratelimited' });
    inject('management', 'throttle', { retry_after: 0 });
    inject('slack', 'throttle');
    const waits = [await fetch(`${management.url}/servers`), await fetch(`${slack.url}/servers`)];
    expect(waits.map(({ headers }) => headers.get('retry-after'))).toEqual(['0', '1']);
  });

  test('that is slow answers as usual in the end', async () => {
    const { url } = await serve('management');
    inject('management', 'slow', { ms: 30 });
    expect(await (await fetch(`${url}/servers`)).json()).toEqual({ fine: true });
  });

  test('that cuts drops the connection before any work', async () => {
    const { url } = await serve('management');
    inject('management', 'cut');
    await expect(fetch(`${url}/servers`)).rejects.toThrow();
    expect(worked).toEqual([]);
    expect(wire.journal().map((entry) => entry.status)).toEqual([null]);
  });

  test('that cuts after the work drops the connection once it is done', async () => {
    const { url } = await serve('management');
    wire.inject({ service: 'management', match: 'POST /servers', kind: 'cut-after', times: 1 });
    await expect(fetch(`${url}/servers`, { method: 'POST', body: 'reboot' })).rejects.toThrow();
    expect(worked).toEqual(['POST /servers reboot']);
    expect(wire.journal().map((entry) => entry.status)).toEqual([null]);
  });

  test.each([
    ['an object', '{"fine":true}'],
    ['an empty object', '{}'],
    ['a list', '[1,2]'],
    ['a number', '12'],
    ['nothing', ''],
  ])('that spoils %s sends valid HTTP with invalid JSON', async (_name, body) => {
    const { url } = await serve('management', () => new Response(body, { status: 201 }));
    inject('management', 'malformed');
    const answer = await fetch(`${url}/servers`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text.length).toBeGreaterThan(0);
    expect(() => JSON.parse(text)).toThrow();
    expect(worked).toHaveLength(1);
  });

  test('that answers otherwise lets the work happen and sends its own status and body', async () => {
    const { url } = await serve('slack');
    const body = { ok: false, error: 'fatal_error' };
    const fault = {
      service: 'slack',
      match: 'POST /api/chat.postMessage',
      kind: 'answer',
      times: 1,
    } as const;
    const ask = () => fetch(`${url}/api/chat.postMessage`, { method: 'POST', body: 'text' });
    wire.inject({ ...fault, body });
    const answer = await ask();
    expect([answer.status, await answer.json()]).toEqual([200, body]);
    wire.inject({ ...fault, status: 503 });
    const bare = await ask();
    expect([bare.status, await bare.json()]).toEqual([503, null]);
    expect(worked).toEqual(['POST /api/chat.postMessage text', 'POST /api/chat.postMessage text']);
  });

  test.each([
    ['an array', [1, 2, 3], [1, 2]],
    ['rows beside a total', { size: 3, results: [1, 2, 3] }, { size: 3, results: [1, 2] }],
    ['a single thing', { id: 1, tags: [1, 2, 3] }, { id: 1, tags: [1, 2, 3] }],
  ])('that shortens a list cuts the rows of %s', async (_name, whole, cut) => {
    const { url } = await serve('management', () => Response.json(whole));
    wire.inject({ service: 'management', match: 'GET /servers', kind: 'list', take: 2 });
    expect(await (await fetch(`${url}/servers`)).json()).toEqual(cut);
  });

  test('that repeats a page asks the service for it, whatever page was asked for', async () => {
    const { url } = await serve('management', (asked) => Response.json([new URL(asked.url).search]));
    wire.inject({ service: 'management', match: 'GET /servers', kind: 'list', page: 0 });
    expect(await (await fetch(`${url}/servers?o=1&page=3`)).json()).toEqual(['?o=1&page=0']);
  });
});

describe('a fault of kind late', () => {
  const late = (ms: number) => wire.inject({ service: 'slack', match: 'chat.', kind: 'late', ms, times: 1 });

  /** Sends a post and disconnects; resolves when the service has received all of it. */
  async function postAndLeave(): Promise<void> {
    const { url } = await serve('slack');
    const sent = request(`${url}/api/chat.postMessage`, { method: 'POST' });
    sent.on('error', () => undefined);
    sent.end('channel=C1&text=hello');
    await until(() => wire.journal().some((entry) => entry.sent !== undefined));
    sent.destroy();
  }

  test('does the work and answers as usual in the end', async () => {
    const { url } = await serve('slack');
    late(20);
    const answer = await fetch(`${url}/api/chat.update`, { method: 'POST', body: 'ts=1.1' });
    expect(await answer.json()).toEqual({ fine: true });
    expect(worked).toEqual(['POST /api/chat.update ts=1.1']);
    expect(wire.journal()).toMatchObject([{ fault: 'late', status: 200 }]);
  });

  test('does not do the work before its time', async () => {
    late(60_000);
    await postAndLeave();
    expect(worked).toEqual([]);
    expect(wire.journal()[0]).not.toHaveProperty('done');
  });

  test('does the work although the caller is gone', async () => {
    late(200);
    await postAndLeave();
    await until(() => worked.length > 0);
    expect(worked).toEqual(['POST /api/chat.postMessage channel=C1&text=hello']);
    expect(wire.journal()).toMatchObject([{ status: null, done: { at: START, status: 200 } }]);
  });

  test('is dropped by a reset, so that nothing of before happens after it', async () => {
    const { url } = await serve('slack');
    late(60_000);
    const answer = fetch(`${url}/api/chat.update`, { method: 'POST', body: 'ts=1.1' });
    await until(() => wire.journal().some((entry) => entry.sent !== undefined));
    wire.reset();
    expect((await answer).status).toBe(503);
    expect(worked).toEqual([]);
  });

  test('reads on GET requests are late too', async () => {
    const { url } = await serve('slack');
    wire.inject({ service: 'slack', match: 'GET /api/conversations', kind: 'late', ms: 20 });
    expect((await fetch(`${url}/api/conversations.history`)).status).toBe(200);
    expect(worked).toEqual(['GET /api/conversations.history ']);
  });
});

describe('WebSocket upgrades', () => {
  async function ask(port: number, origin = ''): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /link?ticket=secret HTTP/1.1\r\nHost: localhost\r\n${origin}`);
    socket.write('Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    let heard = '';
    for await (const chunk of socket) {
      heard += chunk;
      if (heard.includes('\r\n\r\n')) break;
    }
    return heard.split('\r\n')[0] ?? '';
  }
  async function serveSockets() {
    const server = await wire.serve({
      service: 'slack',
      fetch: () => new Response(),
      upgrade: (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    });
    served.push(server);
    return server.port;
  }

  test('are handed over and noted without their ticket', async () => {
    expect(await ask(await serveSockets())).toBe('HTTP/1.1 101 Switching Protocols');
    expect(wire.journal()).toMatchObject([{ method: 'GET', path: '/link', status: 101 }]);
  });

  test('are refused where nobody takes them', async () => {
    const { port } = await serve('management');
    expect(await ask(port)).toBe('HTTP/1.1 404 Refused');
  });

  test.each([
    ['status', 'HTTP/1.1 500 Refused'],
    ['throttle', 'HTTP/1.1 429 Refused'],
    ['slow', 'HTTP/1.1 101 Switching Protocols'],
  ] as const)('meet a fault of kind %s', async (kind, line) => {
    const port = await serveSockets();
    wire.inject({ service: 'slack', match: 'GET /link', kind, times: 1, ms: 10 });
    expect(await ask(port)).toBe(line);
  });

  test.each(['cut', 'malformed', 'answer', 'list'] as const)(
    'end without a word at a fault of kind %s',
    async (kind) => {
      const port = await serveSockets();
      wire.inject({ service: 'slack', match: 'GET /link', kind, times: 1 });
      expect(await ask(port).catch(() => '')).toBe('');
      expect(wire.journal()[0]?.status).toBeNull();
    },
  );

  test('are not opened for a foreign page', async () => {
    expect(await ask(await serveSockets(), 'Origin: https://evil.example\r\n')).toBe('');
    expect(wire.journal()).toEqual([]);
  });
});

describe('a service of the sandbox', () => {
  function statusOf(port: number, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path: '/api/auth.test', method: 'POST', headers });
      asked.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      asked.end();
    });
  }

  test.each(['evil.example', '127.0.0.1.evil.example', '0.0.0.0:3000', 'localhost.evil'])(
    'does nothing for a request to the name %s',
    async (host) => {
      const { port } = await serve('slack');
      expect(await statusOf(port, { host })).toBe(403);
      expect(wire.journal()).toEqual([]);
    },
  );

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
    'does nothing for a page of %s',
    async (origin) => {
      const { port } = await serve('slack');
      expect(await statusOf(port, { origin })).toBe(403);
      expect(wire.journal()).toEqual([]);
    },
  );

  test('answers programs of this machine', async () => {
    const { port } = await serve('slack');
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '127.0.0.1'])
      expect(await statusOf(port, { host })).toBe(200);
  });
});

describe('a service that shares its address', () => {
  async function serveBelow(root: string) {
    const server = await wire.serve({
      service: 'management',
      fetch: ({ url }) => Response.json({ below: new URL(url).pathname + new URL(url).search }),
      mount: { root, beside: ({ url }) => Response.json({ beside: new URL(url).pathname }) },
    });
    served.push(server);
    return server.url;
  }

  test.each([
    ['/api', { below: '/' }],
    ['/api?o=1', { below: '/?o=1' }],
    ['/api/', { below: '/' }],
    ['/api/servers?o=1', { below: '/servers?o=1' }],
    ['/api/api/servers', { below: '/api/servers' }],
    ['/apis', { beside: '/apis' }],
    ['/', { beside: '/' }],
    ['/sandbox/state?of=/api/', { beside: '/sandbox/state' }],
  ])('gets only requests below its root: %s', async (path, answer) => {
    const url = await serveBelow('/api');
    expect(await (await fetch(`${url}${path}`)).json()).toEqual(answer);
  });

  test('has journal and faults for its own requests only, by its own paths', async () => {
    const url = await serveBelow('/api');
    wire.inject({ service: 'management', match: 'GET /', kind: 'status', status: 500 });
    wire.inject({ service: 'management', match: '/api', kind: 'cut' });
    expect((await fetch(`${url}/sandbox/state`)).status).toBe(200);
    expect((await fetch(`${url}/api/servers`)).status).toBe(500);
    expect(wire.journal().map(({ path, status }) => [path, status])).toEqual([['/servers', 500]]);
  });
});

describe('a served address', () => {
  test('is on the loopback interface', async () => {
    const { url, port } = await serve('management');
    expect(url).toBe(`http://127.0.0.1:${port}`);
  });

  test('is refused when the port is taken', async () => {
    const { port } = await serve('management');
    await expect(wire.serve({ service: 'slack', port, fetch: () => new Response() })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  test('stops at once with connections kept open and requests unanswered', async () => {
    const server = await wire.serve({
      service: 'slack',
      fetch: (request) => (request.url.endsWith('/never') ? new Promise<Response>(() => {}) : new Response()),
      upgrade: (_request, socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    });
    const agent = new Agent({ keepAlive: true });
    await new Promise((resolve) =>
      get(server.url, { agent }, (answer) => answer.resume().on('end', resolve)),
    );
    const unanswered = fetch(`${server.url}/never`).then(
      () => 'answered',
      () => 'dropped',
    );
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /link HTTP/1.1\r\nHost: [::1]\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    await server.stop();
    expect(await unanswered).toBe('dropped');
    agent.destroy();
  });
});
