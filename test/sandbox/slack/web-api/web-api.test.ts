/** Web API calls: bodies, tokens, scopes, limits. */
import { describe, expect, it } from 'vitest';
import {
  answerOf,
  BOT,
  clientOf,
  errorOf,
  OPS,
  section,
  startWorkspace,
} from '../harness/workspace-harness.ts';

describe('a call', () => {
  it('of an unknown method is answered with HTTP 200', async () => {
    const { workspace } = await startWorkspace();
    const response = await fetch(`${workspace.apiUrl}files.upload`, { method: 'POST' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: false, error: 'unknown_method', req_method: 'files.upload' });
  });

  it('passes through api.test', async () => {
    const { workspace } = await startWorkspace();
    expect(await answerOf(workspace, 'api.test', { foo: 'bar' })).toEqual({ ok: true, args: { foo: 'bar' } });
    expect(await errorOf(clientOf(workspace).api.test({ error: 'my_error' }))).toBe('my_error');
  });

  it.each([
    ['a query', (url: string) => fetch(`${url}users.info?user=${BOT}`, withToken())],
    ['a form', (url: string) => fetch(`${url}users.info`, form(`user=${BOT}`))],
    [
      'a form with a character set',
      (url: string) => fetch(`${url}users.info`, form(`user=${BOT}`, '; charset=utf-8')),
    ],
  ])('is read from %s', async (_how, call) => {
    const { workspace } = await startWorkspace();
    token = workspace.botToken;
    expect(await (await call(workspace.apiUrl)).json()).toMatchObject({ ok: true, user: { id: BOT } });
  });

  it('is read from JSON', async () => {
    const { workspace } = await startWorkspace();
    token = workspace.botToken;
    const response = await fetch(`${workspace.apiUrl}api.test`, json('{"foo":1}'));
    expect(await response.json()).toEqual({ ok: true, args: { foo: 1 } });
  });

  it('may carry its token in a form but not in JSON', async () => {
    const { workspace } = await startWorkspace();
    token = '';
    const inForm = await fetch(`${workspace.apiUrl}auth.test`, form(`token=${workspace.botToken}`));
    expect(await inForm.json()).toMatchObject({ ok: true, user_id: BOT });
    const inJson = await fetch(`${workspace.apiUrl}auth.test`, json(`{"token":"${workspace.botToken}"}`));
    expect(await inJson.json()).toEqual({ ok: false, error: 'not_authed' });
  });

  it.each([
    ['broken JSON', 'application/json; charset=utf-8', '{', 'invalid_json'],
    ['JSON that is no object', 'application/json; charset=utf-8', '[]', 'json_not_object'],
    ['a type that Slack does not take', 'application/xml', '<user/>', 'invalid_post_type'],
  ])('with %s is refused', async (_what, type, body, error) => {
    const { workspace } = await startWorkspace();
    const headers = { 'content-type': type, authorization: `Bearer ${workspace.botToken}` };
    const response = await fetch(`${workspace.apiUrl}auth.test`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toEqual([200, { ok: false, error }]);
  });
});

describe('a token', () => {
  it('is required, known, and of the right kind', async () => {
    const { workspace } = await startWorkspace();
    expect(await errorOf(clientOf(workspace, '').auth.test())).toBe('not_authed');
    expect(await errorOf(clientOf(workspace, 'xoxb-other').auth.test())).toBe('invalid_auth');
    const asApp = clientOf(workspace, workspace.appToken);
    expect(await errorOf(asApp.team.info())).toBe('not_allowed_token_type');
    expect(await asApp.auth.test()).toMatchObject({ app_id: 'A0PATCHBAY1', app_name: 'patchbay' });
    expect(await errorOf(clientOf(workspace).apps.connections.open({}))).toBe('not_allowed_token_type');
  });

  it('shows its scopes in every authorised answer', async () => {
    const { workspace } = await startWorkspace({ scopes: ['commands', 'chat:write'] });
    const answer = await clientOf(workspace).auth.test();
    expect(answer.response_metadata).toMatchObject({ scopes: ['commands', 'chat:write'] });
    const post = await clientOf(workspace).chat.postMessage({ channel: OPS, text: 'hi' });
    expect(post.response_metadata).toMatchObject({ acceptedScopes: ['chat:write'] });
  });

  it('without the scope of a method is told which one it needs', async () => {
    const { workspace } = await startWorkspace({ scopes: ['commands'] });
    expect(await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'hi' })).toMatchObject({
      ok: false,
      error: 'missing_scope',
      needed: 'chat:write',
      provided: 'commands',
    });
  });
});

it('lets nothing be read from another kind of conversation than the scopes allow', async () => {
  const { workspace } = await startWorkspace({ scopes: ['channels:read', 'im:write'] });
  const client = clientOf(workspace);
  const { channel } = await client.conversations.open({ users: 'U0OPERATOR1' });
  expect(await client.conversations.info({ channel: OPS })).toMatchObject({ ok: true });
  expect(await answerOf(workspace, 'conversations.info', { channel: channel?.id })).toMatchObject({
    error: 'missing_scope',
    needed: 'im:read',
  });
});

describe('rate limits', () => {
  it('are off unless asked for', async () => {
    const { workspace } = await startWorkspace();
    const client = clientOf(workspace);
    for (let count = 0; count < 3; count += 1) await client.chat.postMessage({ channel: OPS, text: 'hi' });
    expect(workspace.messages({ channel: 'ops', user: 'operator' })).toHaveLength(3);
  });

  it('let one message a second into a channel, on the clock', async () => {
    const { workspace, clock } = await startWorkspace({ rateLimits: true });
    const post = (channel: string) => answerOf(workspace, 'chat.postMessage', { channel, text: 'hi' });
    expect(await post(OPS)).toMatchObject({ ok: true });
    expect(await post(OPS)).toEqual({ ok: false, error: 'ratelimited' });
    expect(await post('C0APPROVALS')).toMatchObject({ ok: true });
    await clock.advance(1_000);
    expect(await post(OPS)).toMatchObject({ ok: true });
  });

  it('answer 429 with the seconds to wait', async () => {
    const { workspace, clock } = await startWorkspace({ rateLimits: true });
    const list = () =>
      fetch(`${workspace.apiUrl}users.list`, { headers: { authorization: `Bearer ${workspace.botToken}` } });
    for (let count = 0; count < 20; count += 1) expect((await list()).status).toBe(200);
    await clock.advance(20_000);
    const refused = await list();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  });
});

it('passes the journal and the faults of the wire', async () => {
  const { workspace, wire } = await startWorkspace();
  wire.inject({ service: 'slack', match: 'POST /api/chat.postMessage', kind: 'cut-after', times: 1 });
  const posted = clientOf(workspace).chat.postMessage({ channel: OPS, text: 'hi', blocks: [section()] });
  expect(await errorOf(posted)).toContain('Error');
  expect(workspace.messages({ channel: 'ops', user: 'operator' })).toMatchObject([{ text: 'hi' }]);
  expect(wire.journal('slack')).toMatchObject([
    { method: 'POST', path: '/api/chat.postMessage', status: null },
  ]);
});

let token = '';
const withToken = (): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });
const post = (type: string, body: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
  body,
});
const form = (body: string, suffix = '') => post(`application/x-www-form-urlencoded${suffix}`, body);
const json = (body: string) => post('application/json; charset=utf-8', body);
