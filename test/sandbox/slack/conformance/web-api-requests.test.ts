/** Web API calls: bodies, tokens, scopes, limits (https://docs.slack.dev/apis/web-api). */

import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allMethods } from '../../../../src/sandbox/slack/web-api/web-api.ts';
import { runs } from '../../../harness/runs.ts';
import { KNOWN_ERRORS } from '../documented/documented-lists.ts';
import {
  answerOf,
  clientOf,
  errorOf,
  OPERATOR,
  OPS,
  section,
  startWorkspace,
} from '../harness/workspace-harness.ts';
import { answerFrom, bench, METHODS, posted, WEB_API } from './conformance-harness.ts';

const on = bench({ scopes: ['chat:write', 'channels:read'] });
const FORM = 'application/x-www-form-urlencoded';

async function send(method: string, init: { type?: string; body?: string; token?: string }) {
  const { type, body, token = on.workspace.botToken } = init;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  // Bytes, because fetch adds a content type for text.
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  const response = await fetch(on.workspace.apiUrl + method, { method: 'POST', headers, ...bytes });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, answer };
}

describe(`${WEB_API}: the body of a call`, () => {
  it.each([
    ['JSON', 'application/json; charset=utf-8', '{}'],
    ['a form', FORM, 'a=b'],
    ['a form with its charset', `${FORM}; charset=utf-8`, 'a=b'],
    ['nothing', undefined, undefined],
  ])('is %s', async (_what, type, body) => {
    const { answer } = await send('auth.test', { ...(type && { type }), ...(body && { body }) });
    expect(answer['ok']).toBe(true);
  });

  it.each([
    ['a body without a type', undefined, 'a=b', 'missing_post_type'],
    ['a type that is none of these', 'application/xml', '<a/>', 'invalid_post_type'],
    ['broken JSON', 'application/json; charset=utf-8', '{', 'invalid_json'],
    ['JSON that is no object', 'application/json; charset=utf-8', '"x"', 'json_not_object'],
  ])('refuses %s with HTTP 200', async (_what, type, body, error) => {
    const { status, answer } = await send('auth.test', { ...(type === undefined ? {} : { type }), body });
    expect([status, answer]).toEqual([200, { ok: false, error }]);
  });

  // Seen live: github.com/Octember/earshot/pull/10, github.com/kortix-ai/suna/pull/6616.
  it('reads no arguments from JSON where a method takes only forms', async () => {
    const type = 'application/json; charset=utf-8';
    const dropped = await send('conversations.info', { type, body: '{"channel":"C0OPS000001"}' });
    expect(dropped.answer).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    });
    const { answer } = await send('conversations.info', { type: FORM, body: 'channel=C0OPS000001' });
    expect(answer).toMatchObject({ ok: true, channel: { name: 'ops' } });
  });

  // As the logs of slack-ruby-client 0.14.2 show, of 2019-07.
  it('is answered by JSON that names its charset', async () => {
    for (const method of ['auth.test', 'no.such.method']) {
      const { headers } = await send(method, { type: FORM, body: 'a=b' });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });
});

describe('https://docs.slack.dev/authentication/tokens', () => {
  it.each([
    ['no token', () => '', 'auth.test', 'not_authed'],
    ['an unknown token', () => 'xoxb-other', 'auth.test', 'invalid_auth'],
    ['the app token for the bot', () => on.workspace.appToken, 'auth.test', 'not_allowed_token_type'],
    [
      'the bot token for the app',
      () => on.workspace.botToken,
      'apps.connections.open',
      'not_allowed_token_type',
    ],
  ])('%s', async (_what, token, method, error) => {
    expect(await answerFrom(clientOf(on.workspace, token()), method)).toMatchObject({ ok: false, error });
  });

  it('take the token from a header or a form, and not from JSON', async () => {
    const { apiUrl, botToken } = on.workspace;
    const ask = async (type: string, body: string) => {
      const init = { method: 'POST', headers: { 'content-type': type }, body };
      return JSON.parse(await (await fetch(`${apiUrl}auth.test`, init)).text());
    };
    expect(await ask(FORM, `token=${botToken}`)).toMatchObject({ ok: true });
    const inJson = await ask('application/json', JSON.stringify({ token: botToken }));
    expect(inJson).toEqual({ ok: false, error: 'not_authed' });
  });

  it('open a connection with the app token alone', async () => {
    const app = clientOf(on.workspace, on.workspace.appToken);
    expect((await app.apps.connections.open({})).url).toMatch(/^ws:/);
  });
});

describe('https://api.slack.com/docs/oauth-scopes', () => {
  it('names the granted and the accepted scopes in headers', async () => {
    const { headers } = await send('chat.postMessage', { type: FORM, body: 'channel=C0OPS000001&text=hi' });
    expect(headers.get('x-oauth-scopes')).toBe('chat:write,channels:read');
    expect(headers.get('x-accepted-oauth-scopes')).toBe('chat:write');
  });

  it.each([
    ['users.info', { user: 'U0OPERATOR1' }, 'users:read'],
    ['files.getUploadURLExternal', { filename: 'a', length: 1 }, 'files:write'],
    ['chat.unfurl', {}, 'links:write'],
    ['conversations.open', { users: 'U0OPERATOR1' }, 'channels:manage,groups:write,im:write,mpim:write'],
    ['users.conversations', { types: 'private_channel' }, 'groups:read'],
    [
      'conversations.history',
      { channel: 'C0OPS000001' },
      'channels:history,groups:history,im:history,mpim:history',
    ],
  ])('%s without its scope', async (method, args, needed) => {
    expect(await on.call(method, args)).toMatchObject({
      ok: false,
      error: 'missing_scope',
      needed,
      provided: 'chat:write,channels:read',
    });
  });
});

it(`${METHODS}: an unknown method is answered with HTTP 200`, async () => {
  const { status, answer } = await send('files.upload', {});
  expect([status, answer]).toEqual([200, { ok: false, error: 'unknown_method', req_method: 'files.upload' }]);
});

// slack-ruby/slack-ruby-client, spec/fixtures/slack/web, 429_error.yml; ansible-collections, pull request 12032
it('every answer has an id of its own, is for no cache, and has the word of its error in a header', async () => {
  const [one, other, fake] = await Promise.all([
    send('auth.test', {}),
    send('auth.test', {}),
    send('auth.test', { token: 'xoxb-fake' }),
  ]);
  expect(one.headers.get('x-slack-req-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(other.headers.get('x-slack-req-id')).not.toBe(one.headers.get('x-slack-req-id'));
  expect(one.headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
  expect(one.headers.get('x-slack-failure')).toBeNull();
  expect([fake.status, fake.headers.get('x-slack-failure')]).toEqual([200, 'invalid_auth']);
});

it('nothing is read from another kind of conversation than the scopes allow', async () => {
  const { workspace } = await startWorkspace({ scopes: ['channels:read', 'im:write'] });
  const client = clientOf(workspace);
  const { channel } = await client.conversations.open({ users: 'U0OPERATOR1' });
  expect(await client.conversations.info({ channel: OPS })).toMatchObject({ ok: true });
  expect(await answerFrom(client, 'conversations.info', { channel: channel?.id })).toMatchObject({
    error: 'missing_scope',
    needed: 'im:read',
  });
});

it('calls pass the journal and the faults of the wire', async () => {
  const { workspace, wire } = await startWorkspace();
  wire.inject({ service: 'slack', match: 'POST /api/chat.postMessage', kind: 'cut-after', times: 1 });
  const posted = clientOf(workspace).chat.postMessage({ channel: OPS, text: 'hi', blocks: [section()] });
  expect(await errorOf(posted)).toContain('Error');
  expect(workspace.messages({ channel: 'ops', user: 'operator' })).toMatchObject([{ text: 'hi' }]);
  expect(wire.journal('slack')).toMatchObject([
    { method: 'POST', path: '/api/chat.postMessage', status: null },
  ]);
});

describe('https://docs.slack.dev/apis/web-api/rate-limits, on the clock', () => {
  const limited = bench({ rateLimits: true });
  const PASSED = { status: 200, wait: null };
  async function ask(method: string, args: Record<string, string> = {}) {
    const headers = { authorization: `Bearer ${limited.workspace.botToken}` };
    const body = new URLSearchParams(args);
    const response = await fetch(limited.workspace.apiUrl + method, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return { status: response.status, wait: response.headers.get('retry-after') };
  }

  it.each([
    ['chat.update', 50],
    ['chat.postEphemeral', 100],
    ['usergroups.users.list', 20],
  ])('%s: %i calls a minute, and no other method waits with it', async (method, most) => {
    for (let count = 0; count < most; count += 1) await ask(method);
    expect(await ask(method)).toEqual({ status: 429, wait: '60' });
    expect(await ask('auth.test')).toEqual(PASSED);
    await limited.clock.advance(59_000);
    expect(await ask(method)).toEqual({ status: 429, wait: '1' });
    await limited.clock.advance(1_000);
    expect(await ask(method)).toEqual(PASSED);
  });

  it('chat.postMessage: one a second in a channel', async () => {
    const post = (channel: string) => ask('chat.postMessage', { channel, text: 'hi' });
    expect(await post(OPS)).toEqual(PASSED);
    expect(await post(OPS)).toEqual({ status: 429, wait: '1' });
    expect(await post('C0APPROVALS')).toEqual(PASSED);
    await limited.clock.advance(1_000);
    expect(await post(OPS)).toEqual(PASSED);
    // Without the option there is no limit.
    for (let count = 0; count < 3; count += 1)
      expect(await on.call('chat.postMessage', { channel: OPS, text: 'hi' })).toMatchObject({ ok: true });
  });

  it('Slack’s client reads Retry-After from it', async () => {
    await limited.client.chat.postMessage({ channel: OPS, text: 'hi' });
    const refused = limited.client.chat.postMessage({ channel: OPS, text: 'hi' });
    await expect(refused).rejects.toMatchObject({ retryAfter: 1 });
  });
});

/** With every scope. */
const all = bench();
const EVERY_METHOD = allMethods(() => '').map(({ name }) => name);
const NAMES = [
  ...['channel', 'channel_id', 'user', 'users', 'user_id', 'bot', 'types', 'limit', 'cursor', 'oldest'],
  ...['ts', 'thread_ts', 'message_ts', 'text', 'blocks', 'metadata', 'view', 'view_id', 'trigger_id', 'hash'],
  ...['unfurls', 'files', 'filename', 'length', 'usergroup', 'initial_comment', '__proto__'],
];

/** Arguments of a careless program: valid ids, wrong types, deep structures, odd words. */
const value = (ts: string) =>
  fc.oneof(
    fc.constantFrom(OPS, OPERATOR, ts, 'V1', '', '0', 'true', '[]', '{}', '[{}]', 'null', '1e999'),
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.record({ type: fc.constantFrom('section', 'actions', 'input', 'x'), text: fc.jsonValue() })),
    fc.string(),
  );

it(`${WEB_API}: every call is answered with HTTP 200 and ok, whatever it says`, async () => {
  const ts = await posted(all);
  const call = fc.tuple(
    fc.constantFrom(...EVERY_METHOD),
    fc.dictionary(fc.constantFrom(...NAMES), value(ts), { maxKeys: 6 }),
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(call, async ([method, args, asJson]) => {
      const form = new URLSearchParams();
      for (const [name, each] of Object.entries(args))
        form.set(name, typeof each === 'string' ? each : JSON.stringify(each));
      const type = asJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded';
      const response = await fetch(all.workspace.apiUrl + method, {
        method: 'POST',
        headers: { authorization: `Bearer ${all.workspace.botToken}`, 'content-type': type },
        body: asJson ? JSON.stringify(args) : form.toString(),
      });
      expect(response.status).toBe(200);
      const answer: Record<string, unknown> = JSON.parse(await response.text());
      expect(typeof answer['ok']).toBe('boolean');
      // Only a refusal has an error code.
      expect(typeof answer['error']).toBe(answer['ok'] === true ? 'undefined' : 'string');
      if (answer['ok'] === false) expect([...KNOWN_ERRORS]).toContain(answer['error']);
    }),
    { numRuns: runs(400) },
  );
});

it('JSON too deep to be written down again is no JSON, so that people still see the channel', async () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const response = await fetch(`${all.workspace.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${all.workspace.botToken}`,
      'content-type': 'application/json; charset=utf-8',
    },
    body: `{"channel":"${OPS}","text":"hi","metadata":{"event_type":"x","event_payload":${deep}}}`,
  });
  expect(await response.json()).toMatchObject({ ok: false, error: 'invalid_json' });
  expect(all.workspace.messages({ user: 'operator', channel: 'ops' })).toEqual([]);
});

const LARGEST = 4 * 1024 * 1024;

function body(size: number): string {
  return JSON.stringify({ filler: 'x'.repeat(size) });
}
/** Sends it whole, or in chunks, so that no length is declared. */
function post(url: string, sentText: string, inPieces: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(inPieces ? {} : { 'content-length': sentText.length }),
      },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    if (inPieces) sent.write(sentText.slice(0, 10));
    sent.end(inPieces ? sentText.slice(10) : sentText);
  });
}

it.each([
  { how: 'of a declared length', inPieces: false },
  { how: 'that comes in pieces', inPieces: true },
])('a body $how is read up to four megabytes', async ({ inPieces }) => {
  const { workspace } = await startWorkspace();
  const ask = (size: number) => post(`${workspace.apiUrl}chat.postMessage`, body(size), inPieces);
  expect(JSON.parse(await text(await ask(LARGEST - 100)))).toMatchObject({ error: 'not_authed' });
  expect((await ask(LARGEST + 100)).statusCode).toBe(413);
});

/** The first line of the answer to a WebSocket upgrade of this address. */
async function upgraded(apiUrl: string, address: string): Promise<string> {
  const socket = connect(Number(new URL(apiUrl).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  const headers = [
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
  ];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  socket.write([`GET ${address} HTTP/1.1`, ...headers, key, '', ''].join('\r\n'));
  const [line = ''] = (await text(socket)).split('\r\n');
  return line;
}

it.each(['//', 'http://[', '*', '/link/?ticket=%'])(
  '%s opens no connection and ends nothing',
  async (address) => {
    const { workspace } = await startWorkspace();
    expect(await upgraded(workspace.apiUrl, address)).toBe('HTTP/1.1 401 Unauthorized');
    expect(await answerOf(workspace, 'auth.test', {})).toMatchObject({ ok: true });
  },
);
