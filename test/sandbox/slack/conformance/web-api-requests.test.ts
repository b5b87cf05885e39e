/** Parsing of Web API calls: bodies, names, tokens, scopes, warnings (https://docs.slack.dev/apis/web-api). */
import { describe, expect, it } from 'vitest';
import { clientOf } from '../harness/workspace-harness.ts';
import { answerFrom, bench, METHODS, WEB_API } from './conformance-harness.ts';

const on = bench({ scopes: ['chat:write', 'channels:read'] });
const FORM = 'application/x-www-form-urlencoded';

async function send(method: string, init: { type?: string; body?: string; token?: string; verb?: string }) {
  const { type, body, token = on.workspace.botToken, verb = 'POST' } = init;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(type === undefined ? {} : { 'content-type': type }),
  };
  // Bytes, because fetch adds a content type for text.
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  const response = await fetch(on.workspace.apiUrl + method, { method: verb, headers, ...bytes });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, answer };
}

describe(`${WEB_API}: the body of a call`, () => {
  const LINE =
    "[WARN] A Content-Type HTTP header was presented but did not declare a charset, such as a 'utf-8'";
  it.each([
    ['JSON with its charset', 'application/json; charset=utf-8', '{}', undefined, undefined],
    ['JSON without', 'application/json', '{}', 'missing_charset', [LINE]],
    ['a form without', FORM, 'a=b', undefined, undefined],
    ['a form with one', `${FORM}; charset=utf-8`, 'a=b', 'superfluous_charset', undefined],
  ])('%s', async (_what, type, body, warning, messages) => {
    const { answer } = await send('auth.test', { type, body });
    expect(answer['ok']).toBe(true);
    expect(answer['warning']).toBe(warning);
    const warnings = warning === undefined ? undefined : [warning];
    const metadata = warnings && { warnings, ...(messages ? { messages } : {}) };
    expect(answer['response_metadata']).toEqual(metadata);
  });

  it.each([
    ['an unknown charset', `${FORM}; charset=utf-7`, 'a=b', 'invalid_charset'],
    ['a form that is broken', 'multipart/form-data; boundary=x', 'no form', 'invalid_form_data'],
    ['a body without a type', undefined, 'a=b', 'missing_post_type'],
    ['a type that is none of the four', 'application/xml', '<a/>', 'invalid_post_type'],
    ['broken JSON', 'application/json; charset=utf-8', '{', 'invalid_json'],
    ['JSON that is no object', 'application/json; charset=utf-8', '"x"', 'json_not_object'],
    ['the name of an array', FORM, 'users[0]=x', 'invalid_array_arg'],
    ['a name with a dash', FORM, 'user-id=x', 'invalid_arg_name'],
    ['a very long name', FORM, `${'x'.repeat(101)}=x`, 'invalid_arg_name'],
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
    const { answer } = await send('conversations.info?channel=C0OPS000001', { type, body: '{}' });
    expect(answer).toMatchObject({ ok: true, channel: { name: 'ops' } });
  });

  // As the logs of slack-ruby-client 0.14.2 show, of 2019-07.
  it('is answered by JSON that names its charset', async () => {
    for (const method of ['api.test', 'no.such.method']) {
      const { headers } = await send(method, { type: FORM, body: 'a=b' });
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('warns beside an error too', async () => {
    const { answer } = await send('chat.postMessage', { type: 'application/json', body: '{"channel":"C1"}' });
    expect(answer).toMatchObject({ ok: false, error: 'channel_not_found', warning: 'missing_charset' });
  });

  it('takes plain text and reads nothing from it', async () => {
    const { answer } = await send('api.test', { type: 'text/plain', body: 'foo=bar' });
    expect(answer).toEqual({ ok: true });
  });
});

describe('https://docs.slack.dev/authentication/tokens', () => {
  it.each([
    ['no token', () => '', 'auth.test', 'not_authed'],
    ['an unknown token', () => 'xoxb-other', 'auth.test', 'invalid_auth'],
    ['the app token for the bot', () => on.workspace.appToken, 'team.info', 'not_allowed_token_type'],
    [
      'the bot token for the app',
      () => on.workspace.botToken,
      'apps.connections.open',
      'not_allowed_token_type',
    ],
  ])('%s', async (_what, token, method, error) => {
    expect(await answerFrom(clientOf(on.workspace, token()), method)).toMatchObject({ ok: false, error });
  });

  it.each(['GET', 'POST'])(
    'take the token from a header or a form, not from the address: %s',
    async (method) => {
      const { apiUrl, botToken } = on.workspace;
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const form = { method: 'POST', headers: type, body: `token=${botToken}` };
      const answerOf = async (answer: Response) => JSON.parse(await answer.text());
      expect(await answerOf(await fetch(`${apiUrl}auth.test`, form))).toMatchObject({ ok: true });
      const inAddress = await fetch(`${apiUrl}auth.test?token=${botToken}`, { method, headers: type });
      expect(await answerOf(inAddress)).toEqual({ ok: false, error: 'invalid_auth' });
    },
  );

  it('opens a connection by POST with the app token alone', async () => {
    const app = clientOf(on.workspace, on.workspace.appToken);
    expect((await app.apps.connections.open({})).url).toMatch(/^ws:/);
    const got = await send('apps.connections.open', { token: on.workspace.appToken, verb: 'GET' });
    expect(got.answer).toMatchObject({ error: 'insecure_request' });
  });
});

describe('https://api.slack.com/docs/oauth-scopes', () => {
  it('names the granted and the accepted scopes in headers', async () => {
    const { headers } = await send('chat.postMessage', { type: FORM, body: 'channel=C0OPS000001&text=hi' });
    expect(headers.get('x-oauth-scopes')).toBe('chat:write,channels:read');
    expect(headers.get('x-accepted-oauth-scopes')).toBe('chat:write');
  });

  it.each([
    ['users.list', {}, 'users:read'],
    ['users.lookupByEmail', { email: 'x@y.z' }, 'users:read.email'],
    ['reactions.add', { name: 'eyes' }, 'reactions:write'],
    ['files.getUploadURLExternal', { filename: 'a', length: 1 }, 'files:write'],
    ['chat.unfurl', {}, 'links:write'],
    ['conversations.open', { users: 'U0OPERATOR1' }, 'channels:manage,groups:write,im:write,mpim:write'],
    ['conversations.list', { types: 'public_channel,mpim' }, 'mpim:read'],
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
