import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CallOutcome, FailedCall } from '../../../src/fleet/http/call-outcome.ts';
import { createHttp, type HttpOptions, type HttpRequest } from '../../../src/fleet/http/http-client.ts';
import { secret } from '../../../src/lib/log.ts';
import { KEY } from '../harness.ts';
import { type Reply, scriptedServer } from '../scripted-server.ts';

const READ: HttpRequest = { method: 'GET', path: '/servers/{id}', id: 42, query: { o: 7 } };

async function answer(
  reply: Reply,
  options: Partial<HttpOptions> = {},
  timeoutMs = 5_000,
): Promise<CallOutcome> {
  const service = await scriptedServer(reply);
  return sendTo(service.url, options, timeoutMs);
}
async function sendTo(
  baseUrl: string,
  options: Partial<HttpOptions> = {},
  timeoutMs = 5_000,
): Promise<CallOutcome> {
  const http = createHttp({ baseUrl, apiKey: secret(KEY), ...options });
  try {
    return await http.send(READ, { timeoutMs });
  } finally {
    await http.close();
  }
}
async function failure(
  reply: Reply,
  options: Partial<HttpOptions> = {},
  timeoutMs?: number,
): Promise<FailedCall> {
  const outcome = await answer(reply, options, timeoutMs);
  if (outcome.kind !== 'failed') throw new Error('it was answered');
  return outcome;
}

describe('a request', () => {
  it('carries the key in its header, the values in its path and query, and nothing else', async () => {
    const service = await scriptedServer({ body: { id: 42 } });
    const http = createHttp({ baseUrl: `${service.url}/api/`, apiKey: secret(KEY) });
    await http.send({ ...READ, query: { o: 7, eventName: 'a&b c' } }, { timeoutMs: 5_000 });
    await http.close();
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      path: '/api/servers/42',
      query: { o: '7', eventName: 'a&b c' },
      headers: { authorization: `Bearer ${KEY}`, accept: 'application/json' },
      body: '',
    });
  });

  it('can have several values in its path, and a list in its query', async () => {
    const service = await scriptedServer({ body: {} });
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    const path = '/policies/{id}/files/{name}';
    await http.send(
      { method: 'DELETE', path, id: 0, values: { name: 'a/b' }, query: { o: 7, ids: [1, 2] } },
      { timeoutMs: 5_000 },
    );
    await http.send({ method: 'PUT', path: '/servers/batch', query: {}, body: [1] }, { timeoutMs: 5_000 });
    await http.close();
    expect(service.requests.map(({ method, target, body }) => [method, target, body])).toEqual([
      ['DELETE', '/policies/0/files/a%2Fb?o=7&ids=1&ids=2', ''],
      ['PUT', '/servers/batch', '[1]'],
    ]);
  });

  it('reuses its connection for the next read, but not for a write', async () => {
    const connections = new Map<string, Set<string | undefined>>();
    const service = await scriptedServer((seen) => {
      const known = connections.get(seen.method) ?? new Set();
      connections.set(seen.method, known.add(seen.headers.connection));
      return { body: {} };
    });
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    await http.send(READ, { timeoutMs: 5_000 });
    await http.send({ ...READ, method: 'POST', body: {} }, { timeoutMs: 5_000 });
    await http.close();
    expect(connections.get('GET')).toEqual(new Set(['keep-alive']));
    expect(connections.get('POST')).toEqual(new Set(['close']));
  });

  it('reuses its connection for a POST that only reads', async () => {
    const service = await scriptedServer({ body: {} });
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    await http.send({ ...READ, method: 'POST', safe: true, body: {} }, { timeoutMs: 5_000 });
    await http.close();
    expect(service.requests[0]?.headers.connection).toBe('keep-alive');
  });
});

describe('an answer', () => {
  it.each<[string, Reply, unknown]>([
    ['JSON', { body: { id: 1 } }, { id: 1 }],
    ['JSON with a byte order mark', { body: '\ufeff[1]' }, [1]],
    ['null', { body: 'null' }, null],
    ['no body', { status: 201 }, undefined],
    ['204', { status: 204 }, undefined],
    ['compressed in capitals', { headers: { 'content-encoding': 'GZip ' }, body: gzipSync('[1,2]') }, [1, 2]],
    ['compressed', { headers: { 'content-encoding': 'gzip' }, body: gzipSync('[1,2]') }, [1, 2]],
  ])('is read: %s', async (_, reply, json) => {
    expect(await answer(reply)).toEqual({ kind: 'answered', json });
  });

  it.each<[string, Reply, string, string]>([
    ['half a JSON', { body: '[{"id":1},{"i' }, 'unreadable', 'not JSON'],
    ['a page', { body: '<html>sign in</html>' }, 'unreadable', 'a web page instead of JSON'],
    ['text', { body: 'Maintenance' }, 'unreadable', 'not JSON'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unreadable', ''],
    [
      'broken compression',
      { headers: { 'content-encoding': 'gzip' }, body: 'no' },
      'unreadable',
      'the compressed answer is unreadable',
    ],
    [
      'compression cut short',
      { headers: { 'content-encoding': 'gzip' }, body: gzipSync('[1,2]').subarray(0, 12) },
      'unreadable',
      'the compressed answer is unreadable',
    ],
    [
      'another compression',
      { headers: { 'content-encoding': 'br' }, body: 'no' },
      'unreadable',
      'the compressed answer is unreadable',
    ],
    [
      'a page of a gateway',
      { status: 502, body: '<html><title>502 Bad Gateway</title></html>' },
      'broken',
      'a web page: 502 Bad Gateway',
    ],
    ['an error', { status: 403, body: { errors: ['No right'] } }, 'forbidden', 'No right'],
    [
      'a compressed error',
      { status: 400, headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"errors":["Bad"]}') },
      'invalid',
      'Bad',
    ],
    ['an error whose body is cut', { status: 404, cut: '{"err' }, 'missing', ''],
    ['an endless error', { status: 500, body: 'x'.repeat(1_000_000) }, 'broken', ''],
  ])('is an error: %s', async (_, reply, kind, detail) => {
    const failed = await failure(reply);
    expect(failed.error).toMatchObject({ method: 'GET', path: '/servers/{id}', kind, detail });
    expect(failed.sent).toBe(true);
  });

  it('is too large above the limit, compressed or not, but not at the limit', async () => {
    const cap = { maxResponseBytes: 10_000 };
    const long = `"${'x'.repeat(9_999)}"`;
    expect((await failure({ body: long }, cap)).error.kind).toBe('too-large');
    const bomb = { headers: { 'content-encoding': 'gzip' }, body: gzipSync(long) };
    expect((await failure(bomb, cap)).error.kind).toBe('too-large');
    expect(await answer({ body: `"${'x'.repeat(9_998)}"` }, cap)).toMatchObject({ kind: 'answered' });
  });

  it.each<[string, Reply]>([
    ['never', 'hang'],
    ['only in part', { stall: '[{"id":' }],
  ])('times out where it comes %s', async (_, reply) => {
    const failed = await failure(reply, {}, 50);
    expect(failed).toMatchObject({ sent: true, retryable: true, error: { kind: 'timeout' } });
  });

  it('is an error of its status even when the error body never ends', async () => {
    expect(await failure({ status: 401, stall: '{' }, {}, 100)).toMatchObject({
      retryable: false,
      error: { kind: 'unauthorized', status: 401 },
    });
  });

  it('that is cut inside its body is unreadable, and may be retried', async () => {
    const failed = await failure({ cut: '[{"id":1},' });
    expect(failed).toMatchObject({ sent: true, retryable: true, error: { kind: 'unreadable', status: 200 } });
  });

  it('that never begins because the connection is dropped is unreachable', async () => {
    const failed = await failure('drop');
    expect(failed).toMatchObject({
      sent: true,
      retryable: true,
      error: { kind: 'unreachable', status: null },
    });
  });
});

describe('an address', () => {
  it('that nobody listens on is unreachable, and nothing was sent', async () => {
    const service = await scriptedServer({});
    await service.stop();
    expect(await sendTo(service.url)).toMatchObject({
      sent: false,
      retryable: true,
      error: { kind: 'unreachable', status: null, detail: 'the connection was refused' },
    });
  });

  it('that does not exist is unreachable, and nothing was sent', async () => {
    expect(await sendTo('http://patchbay.invalid')).toMatchObject({
      sent: false,
      error: { kind: 'unreachable' },
    });
  });

  it('that speaks no TLS is unreachable, and nothing was sent', async () => {
    const service = await scriptedServer({ body: {} });
    expect(await sendTo(service.url.replace('http:', 'https:'))).toMatchObject({
      sent: false,
      error: { kind: 'unreachable' },
    });
  });
});

describe('a caller', () => {
  it('that gives up ends the request with its own reason', async () => {
    const service = await scriptedServer('hang');
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    const abort = new AbortController();
    const sending = http.send(READ, { timeoutMs: 5_000, signal: abort.signal });
    abort.abort(new Error('went home'));
    await expect(sending).rejects.toThrow('went home');
    await expect(http.send(READ, { timeoutMs: 5_000, signal: abort.signal })).rejects.toThrow('went home');
    await http.close();
    await http.close();
  });

  it('that gives up inside of the body of an error ends the request with its own reason too', async () => {
    const headers = {
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '9',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 1),
    };
    const service = await scriptedServer({ status: 500, stall: '{"errors"', headers });
    const abort = new AbortController();
    // The head of the answer is there once its count is told.
    const onCount = () => abort.abort(new Error('went home'));
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY), onCount });
    await expect(http.send(READ, { timeoutMs: 5_000, signal: abort.signal })).rejects.toThrow('went home');
    await http.close();
  });

  it('that closes the client ends its reads', async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const service = await scriptedServer(() => {
      arrived();
      return 'hang';
    });
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    const sending = http.send(READ, { timeoutMs: 5_000 });
    await arrival;
    await http.close();
    expect(await sending).toMatchObject({ kind: 'failed', error: { kind: 'unreachable' } });
    expect(await http.send(READ, { timeoutMs: 5_000 })).toMatchObject({ kind: 'failed', sent: false });
  });
});

describe('the key', () => {
  const echo = `key ${KEY}, header Bearer ${KEY}`;
  it.each<[string, Reply]>([
    ['an error', { status: 401, body: { errors: [echo] } }],
    ['an error text', { status: 500, body: echo }],
    ['a page', { status: 502, body: `<title>${echo}</title>` }],
    ['half a JSON', { body: `{"${KEY}` }],
    ['a redirect', { status: 302, headers: { location: `http://127.0.0.1/?${KEY}` }, body: echo }],
    ['a dropped connection', 'drop'],
  ])('is not revealed by %s', async (_, reply) => {
    expect(JSON.stringify(await failure(reply))).not.toContain(KEY);
  });
});
