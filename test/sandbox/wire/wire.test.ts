import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import type { FaultKind, Served, ServiceName, Wire } from '../../../src/sandbox/contracts/services.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';

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

async function serve(service: ServiceName, answer: () => Response = () => Response.json({ fine: true })) {
  const server = await wire.serve({
    service,
    fetch: async (request) => {
      worked.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
      return answer();
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
});

describe('WebSocket upgrades', () => {
  const REQUEST =
    'GET /link?ticket=secret HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

  async function ask(port: number): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(REQUEST);
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
