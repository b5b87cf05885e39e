import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type CallOutcome,
  type FailedCall,
  parseWithoutSecrets,
} from '../../../src/fleet/http/call-outcome.ts';
import { errorDetail, failureCause, requestIdIn, retryAfterMs } from '../../../src/fleet/http/errors.ts';
import { createHttp, type HttpOptions, type HttpRequest } from '../../../src/fleet/http/http-client.ts';
import { instant } from '../../../src/lib/clock.ts';
import { secret } from '../../../src/lib/log.ts';
import { property } from '../../harness/property.ts';
import { recorded } from '../fixtures.ts';
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

const encoded = (encoding: string) => ({ headers: { 'content-encoding': encoding } });
const BAD_ENCODING = 'the compressed answer is unreadable';

/** Closed with the test. */
function clientOf(baseUrl: string, options: Partial<HttpOptions> = {}) {
  const http = createHttp({ baseUrl, apiKey: secret(KEY), ...options });
  onTestFinished(http.close);
  return http;
}

describe('a request', () => {
  it('carries the key in its header, the values in its path and query, and nothing else', async () => {
    const service = await scriptedServer({ body: { id: 42 } });
    const http = clientOf(`${service.url}/api/`);
    await http.send({ ...READ, query: { o: 7, eventName: 'a&b c' } }, { timeoutMs: 5_000 });
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
    const http = clientOf(service.url);
    const path = '/policies/{id}/files/{name}';
    await http.send(
      { method: 'DELETE', path, id: 0, values: { name: 'a/b' }, query: { o: 7, ids: [1, 2] } },
      { timeoutMs: 5_000 },
    );
    await http.send({ method: 'PUT', path: '/servers/batch', query: {}, body: [1] }, { timeoutMs: 5_000 });
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
    const http = clientOf(service.url);
    await http.send(READ, { timeoutMs: 5_000 });
    await http.send({ ...READ, method: 'POST', body: {} }, { timeoutMs: 5_000 });
    expect(connections.get('GET')).toEqual(new Set(['keep-alive']));
    expect(connections.get('POST')).toEqual(new Set(['close']));
  });

  it('reuses its connection for a POST that only reads', async () => {
    const service = await scriptedServer({ body: {} });
    const http = clientOf(service.url);
    await http.send({ ...READ, method: 'POST', safe: true, body: {} }, { timeoutMs: 5_000 });
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
    ['compressed in capitals', { ...encoded('GZip '), body: gzipSync('[1,2]') }, [1, 2]],
    ['compressed', { ...encoded('gzip'), body: gzipSync('[1,2]') }, [1, 2]],
  ])('is read: %s', async (_, reply, json) => {
    expect(await answer(reply)).toEqual({ kind: 'answered', json });
  });

  it.each<[string, Reply, string, string]>([
    ['half a JSON', { body: '[{"id":1},{"i' }, 'unreadable', 'not JSON'],
    ['a page', { body: '<html>sign in</html>' }, 'unreadable', 'a web page instead of JSON'],
    ['text', { body: 'Maintenance' }, 'unreadable', 'not JSON'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'unreadable', ''],
    ['broken compression', { ...encoded('gzip'), body: 'no' }, 'unreadable', BAD_ENCODING],
    [
      'compression cut short',
      { ...encoded('gzip'), body: gzipSync('[1,2]').subarray(0, 12) },
      'unreadable',
      BAD_ENCODING,
    ],
    ['another compression', { ...encoded('br'), body: 'no' }, 'unreadable', BAD_ENCODING],
    [
      'a page of a gateway',
      { status: 502, body: '<html><title>502 Bad Gateway</title></html>' },
      'broken',
      'a web page: 502 Bad Gateway',
    ],
    ['an error', { status: 403, body: { errors: ['No right'] } }, 'forbidden', 'No right'],
    [
      'a compressed error',
      { status: 400, ...encoded('gzip'), body: gzipSync('{"errors":["Bad"]}') },
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
    const bomb = { ...encoded('gzip'), body: gzipSync(long) };
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
    const http = clientOf(service.url);
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
    const http = clientOf(service.url, { onCount });
    await expect(http.send(READ, { timeoutMs: 5_000, signal: abort.signal })).rejects.toThrow('went home');
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
    const http = clientOf(service.url);
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

const ODD_KEY = 'k3y-0f-the-bot/+';

/** Spellings in which a reader could recover the secret from the detail. */
function spellings(detail: string): readonly string[] {
  const words = detail.split(/[^\w+/=-]+/);
  const decoded = words.flatMap((word) =>
    [Buffer.from(word, 'base64'), Buffer.from(word, 'hex')].map(String),
  );
  return [detail, ...decoded].map((text) => text.toLowerCase());
}

describe('the detail of an error', () => {
  it.each([
    ['texts', { errors: ['Not found'] }, 'Not found'],
    ['a text by field', { errors: { name: 'is required.' } }, 'name: is required.'],
    ['objects by field', { errors: { name: [{ message: 'is odd' }, { code: 5 }] } }, 'name: is odd'],
    ['several texts', { errors: ['One', 'Two'] }, 'One; Two'],
    [
      'texts by field',
      { errors: { name: ['is required.'], limit: ['too high.'] } },
      'name: is required.; limit: too high.',
    ],
    ['objects', { errors: [{ field: 'name', message: 'is required' }] }, 'name: is required'],
    [
      'problem details',
      { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'No right' },
      'No right',
    ],
    ['problem details without a detail', { title: 'Forbidden', status: 403 }, 'Forbidden'],
    [
      'invalid fields beside a detail',
      { detail: 'Bad window', invalidFields: { rrule: 'is empty', start: ['is past', 'is odd'] } },
      'Bad window; rrule: is empty; start: is past; start: is odd',
    ],
    ['invalid fields alone', { status: 400, invalidFields: { rrule: null, end: 'is past' } }, 'end: is past'],
    ['a message', { message: 'Too Many Requests!' }, 'Too Many Requests!'],
    [
      'the default of a framework',
      { timestamp: 1, status: 500, error: 'Internal Server Error', path: '/x' },
      'Internal Server Error',
    ],
    ['a text alone', 'plain', 'plain'],
    ['nothing known', { other: 1 }, ''],
    ['no errors', { errors: [], message: 'but this' }, 'but this'],
    ['odd members', { errors: [null, 5, ['nested'], { message: 'left' }] }, 'nested; left'],
  ])('is found in %s', (_, body, detail) => {
    expect(errorDetail(JSON.stringify(body), [ODD_KEY])).toBe(detail);
  });

  it.each([
    ['text', 'upstream gone', 'upstream gone'],
    ['half a JSON', '{"errors":["Not', '{"errors":["Not'],
    ['a page', '<html><head><title>502 Bad Gateway</title></head></html>', 'a web page: 502 Bad Gateway'],
    ['a page without a title', '<!doctype html><p>no', 'a web page'],
    ['nothing', ' \n', ''],
  ])('is found in %s', (_, body, detail) => {
    expect(errorDetail(body, [ODD_KEY])).toBe(detail);
  });

  it('is found in every recorded body', () => {
    const bodies = recorded('errors-2026.json');
    const details = Array.isArray(bodies)
      ? bodies.map(({ body }) => errorDetail(JSON.stringify(body), [ODD_KEY]))
      : [];
    expect(details).toEqual([
      'You do not have permission to perform this action. Please contact your system administrator for support.',
      'Insufficient permissions for this operation',
      'The server_groups field is required.',
      'Not found',
    ]);
  });

  it.each([
    `key ${ODD_KEY} is expired`,
    `seen ${encodeURIComponent(ODD_KEY)} in the address`,
    `Authorization: Bearer ${ODD_KEY}`,
    `${'x'.repeat(290)}${ODD_KEY}`,
    `twice in an address ${encodeURIComponent(encodeURIComponent(ODD_KEY))}`,
    `in capitals ${ODD_KEY.toUpperCase()}`,
    `in hexadecimal ${Buffer.from(ODD_KEY).toString('hex')}`,
    `in base64 ${Buffer.from(ODD_KEY).toString('base64')}`,
    `in base64 of a header ${Buffer.from(`Bearer ${ODD_KEY}`).toString('base64')}`,
    `in base64 beside a name ${Buffer.from(`u:${ODD_KEY}`).toString('base64')}`,
    `in base64 for addresses ${Buffer.from(ODD_KEY).toString('base64url')}`,
    `in JSON inside JSON ${JSON.stringify(JSON.stringify({ key: ODD_KEY })).replaceAll('/', '\\/')}`,
  ])('never holds the key: %s', (text) => {
    for (const body of [text, JSON.stringify({ errors: [text] }), `<title>${text}</title>`]) {
      const detail = errorDetail(body, [ODD_KEY]);
      for (const spelling of spellings(detail))
        expect(spelling).not.toContain(ODD_KEY.toLowerCase().slice(3, 12));
    }
  });

  it('does not let control characters hide the key', () => {
    expect(errorDetail(`k3y\u200b-0f${ODD_KEY}`, [ODD_KEY])).not.toContain(ODD_KEY);
    expect(errorDetail(`"${ODD_KEY}"`, [ODD_KEY])).toBe('[secret]');
  });

  it.each([
    ['got &#107;3y-0f-the-bot&#x2F;&#43;', 'got [secret]'],
    ['no &#x110000; character', 'no &#x110000; character'],
  ])('decodes numeric character references before it looks for a secret: %s', (text, detail) => {
    expect(errorDetail(text, [ODD_KEY])).toBe(detail);
  });

  it.each([
    ['token=abc123 refused', 'token=[secret] refused'],
    ['access_key: abc123', 'access_key: [secret]'],
    ['Bearer abc123, no', 'Bearer [secret], no'],
    ['password "abc123"', 'password "abc123"'],
  ])('blanks values announced as secrets: %s', (text, detail) => {
    expect(errorDetail(text, [])).toBe(detail);
  });

  it('is one line, and short with a mark', () => {
    const detail = errorDetail(`a\n\n\u0000b\u202e ${'👩'.repeat(500)}`, []);
    expect(detail.startsWith('a b 👩')).toBe(true);
    expect(Array.from(detail)).toHaveLength(300);
    expect(detail.endsWith('👩…')).toBe(true);
  });
});

describe('a status', () => {
  it.each([
    [200, null],
    [201, null],
    [204, null],
    [301, 'unreadable'],
    [304, 'unreadable'],
    [400, 'invalid'],
    [401, 'unauthorized'],
    [402, 'forbidden'],
    [403, 'forbidden'],
    [404, 'missing'],
    [405, 'invalid'],
    [408, 'timeout'],
    [409, 'invalid'],
    [410, 'missing'],
    [413, 'invalid'],
    [422, 'invalid'],
    [429, 'throttled'],
    [500, 'broken'],
    [502, 'broken'],
    [503, 'broken'],
    [599, 'broken'],
  ])('%i is %s', (status, kind) => {
    expect(failureCause(status, null)?.kind ?? null).toBe(kind);
  });

  it('429 waits as long as the service asks, or else a minute', () => {
    expect(failureCause(429, 1500)).toEqual({ kind: 'throttled', retryAfterMs: 1500 });
    expect(failureCause(429, null)).toEqual({ kind: 'throttled', retryAfterMs: 60_000 });
    expect(failureCause(429, 0)).toEqual({ kind: 'throttled', retryAfterMs: 0 });
  });
});

describe('the id of a request', () => {
  it.each([
    ['7f0c9a1e-2b3d-4c5e-8f90-1a2b3c4d5e6f', true],
    ['req:1/2+3=', true],
    ['', false],
    ['two words', false],
    ['<!channel>', false],
    ['x'.repeat(101), false],
    [ODD_KEY, false],
    [Buffer.from(ODD_KEY).toString('hex'), false],
    [null, false],
  ])('%s is quoted: %s', (header, quoted) => {
    expect(requestIdIn(header, [ODD_KEY])).toBe(quoted ? header : null);
  });
});

describe('Retry-After', () => {
  const now = instant(Date.UTC(2026, 0, 1, 12, 0, 0));
  it.each([
    ['7', 7_000],
    ['0', 0],
    ['99999', 300_000],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['Thu, 01 Jan 2027 12:00:00 GMT', 300_000],
    ['-5', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('"%s" is %s ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});

describe('parsing an answer', () => {
  it.each([
    ['at the top', '{"id":1,"access_key":"s3cret"}', { id: 1 }],
    ['in a list', '[{"id":1,"access_key":"s3cret"}]', [{ id: 1 }]],
    ['deep inside', '{"a":{"b":[{"intercom_hmac":"s3cret","c":0}]}}', { a: { b: [{ c: 0 }] } }],
    ['under an escaped name', '{"access\\u005fkey":"s3cret","id":""}', { id: '' }],
    ['in a key', '{"results":[{"id":5,"api_key":"s3cret"}],"size":1}', { results: [{ id: 5 }], size: 1 }],
    ['as a whole object', '{"secret":{"value":"s3cret"},"n":null}', { n: null }],
  ])('leaves out a secret %s', (_, text, left) => {
    expect(parseWithoutSecrets(text)).toEqual(left);
    expect(JSON.stringify(parseWithoutSecrets(text))).not.toContain('s3cret');
  });

  it('keeps the configuration of a policy, which has to be sent back whole', () => {
    const policy = { id: 5, configuration: { secret: 's3cret', inner: { api_key: 'k' } } };
    expect(parseWithoutSecrets(JSON.stringify([{ ...policy, access_key: 's3cret' }]))).toEqual([policy]);
  });

  it('reads nesting that would overflow the stack', () => {
    const depth = 100_000;
    const text = `${'['.repeat(depth)}{"secret":1}${']'.repeat(depth)}`;
    expect(() => parseWithoutSecrets(text)).not.toThrow();
  });

  it('keeps values that only mention secrets', () => {
    const row = { name: 'libsecret-1', text: 'the access_key is gone', api_keys: 2 };
    expect(parseWithoutSecrets(JSON.stringify(row))).toEqual(row);
  });

  property([fc.json()])('is JSON.parse for everything else', (text) => {
    expect(JSON.stringify(parseWithoutSecrets(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('refuses what is not JSON', () => {
    expect(() => parseWithoutSecrets('{"secret":')).toThrow();
  });
});
