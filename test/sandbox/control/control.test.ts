import { Hono } from 'hono';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { validateBody } from '../../../src/sandbox/control/validation.ts';
import { parseDuration } from '../../../src/sandbox/control/world-routes.ts';
import { callControl, fakeControl, health, message, START } from './fake-services.ts';

let fakes: ReturnType<typeof fakeControl>;
beforeEach(() => {
  fakes = fakeControl(import.meta.dirname);
});

type Answered = Readonly<Record<string, unknown>> & { readonly status: number; readonly error?: string };
async function answerOf(method: string, path: string, body?: unknown): Promise<Answered> {
  const response = await callControl(fakes, method, path, body);
  // Every answer of the interface is a JSON object.
  const answer = (await response.json()) as Record<string, unknown>;
  return { ...answer, status: response.status };
}

describe('GET /sandbox/state', () => {
  test('says who and what is here and how to reach it', async () => {
    expect(await answerOf('GET', '/sandbox/state')).toMatchObject({
      status: 200,
      users: expect.arrayContaining([{ id: 'U00', name: 'operator', role: 'operator' }]),
      channels: expect.arrayContaining([{ id: 'C00', name: 'ops' }]),
      organization: { id: 7 },
      clock: START,
      management: { baseUrl: 'http://127.0.0.1:4010/api', apiKey: 'key-of-the-fake' },
      slack: {
        apiUrl: 'http://127.0.0.1:4020/api/',
        botToken: 'xoxb-fake',
        appToken: 'xapp-fake',
        signingSecret: '5'.repeat(32),
        botUrl: 'http://127.0.0.1:4030',
      },
      bot: { running: true, processes: 1 },
    });
  });
});

describe('what people do', () => {
  test.each([
    [
      'command',
      { user: 'operator', channel: 'ops', command: '/fleet', text: 'help' },
      { user: 'operator', channel: 'ops', command: '/fleet', text: 'help' },
    ],
    ['message', { user: 'U00', channel: 'C00', text: 'hi' }, { user: 'U00', channel: 'C00', text: 'hi' }],
    [
      'click',
      { user: 'approver', channel: 'approvals', ts: '1.1', action_id: 'approve', confirm: false },
      { user: 'approver', channel: 'approvals', ts: '1.1', action_id: 'approve', confirm: false },
    ],
    [
      'click',
      { user: 'approver', view_id: 'V1', action_id: 'x', value: null },
      { user: 'approver', channel: '', ts: '', view_id: 'V1', action_id: 'x' },
    ],
    [
      'submit',
      { user: 'operator', view_id: 'V1', values: { a: { b: '' } } },
      { user: 'operator', view_id: 'V1', values: { a: { b: '' } } },
    ],
    ['close', { user: 'operator', view_id: 'V1' }, { user: 'operator', view_id: 'V1' }],
    [
      'suggest',
      { user: 'operator', view_id: 'V1', action_id: 'a', block_id: 'b' },
      { user: 'operator', view_id: 'V1', action_id: 'a', block_id: 'b', value: '' },
    ],
    ['invite', { user: 'admin', channel: 'random' }, { user: 'admin', channel: 'random' }],
    ['join', { user: 'outsider', channel: 'ops' }, { user: 'outsider', channel: 'ops' }],
    ['shortcut', { user: 'admin', callback_id: 'ask' }, { user: 'admin', callback_id: 'ask' }],
    ['home', { user: 'admin', tab: null }, { user: 'admin' }],
    [
      'react',
      { user: 'admin', channel: 'ops', ts: '1.1', name: 'eyes', remove: true },
      { user: 'admin', channel: 'ops', ts: '1.1', name: 'eyes', remove: true },
    ],
    ['delivery', { do: 'kill-socket', times: 2 }, { do: 'kill-socket', times: 2 }],
  ])('POST /sandbox/%s reaches the workspace unchanged', async (call, body, order) => {
    expect(await answerOf('POST', `/sandbox/${call}`, body)).toMatchObject({ status: 200, ok: true });
    expect(fakes.asked).toEqual([[call, order]]);
  });

  test('a command answers with its trigger, or with the error that Slack would show', async () => {
    const order = { user: 'operator', channel: 'ops', command: '/fleet' };
    expect(await answerOf('POST', '/sandbox/command', order)).toEqual({
      status: 200,
      ok: true,
      trigger_id: '1.2',
    });
    expect(await answerOf('POST', '/sandbox/command', { ...order, text: 'hang' })).toEqual({
      status: 200,
      ok: false,
      error: 'operation_timeout',
    });
  });

  test.each([
    ['shortcut', { user: 'admin' }, 'callback_id is missing'],
    ['shortcut', { user: 'nobody', callback_id: 'ask' }, /"nobody" is not a user here/],
    ['home', { user: 'admin', tab: 'about' }, /^tab is "about"; it must be one of home, messages$/],
    ['react', { user: 'admin', channel: 'ops', name: 'eyes' }, 'ts is missing'],
    ['delivery', { do: 'dance' }, /^do is "dance"; it must be one of duplicate, reorder, /],
    ['delivery', { do: 'duplicate', times: 0 }, /^times /],
  ])('POST /sandbox/%s with %j is answered with what is wrong', async (call, body, error) => {
    expect(await answerOf('POST', `/sandbox/${call}`, body)).toEqual({
      status: 400,
      ok: false,
      error: expect.stringMatching(error),
    });
    expect(fakes.asked).toEqual([]);
  });

  test('suggestions, commands and views are handed out', async () => {
    const suggest = { user: 'operator', view_id: 'V1', action_id: 'a', block_id: 'b', value: 'we' };
    expect(await answerOf('POST', '/sandbox/suggest', suggest)).toMatchObject({
      options: [{ value: 'web-01' }],
    });
    expect(await answerOf('GET', '/sandbox/commands')).toMatchObject({
      commands: [{ command: '/fleet', description: 'Fleet', usageHint: 'help' }],
    });
    expect(await answerOf('GET', '/sandbox/shortcuts')).toMatchObject({
      shortcuts: [{ callback_id: 'ask', type: 'global' }],
    });
    expect(await answerOf('GET', '/sandbox/views?user=operator')).toMatchObject({
      modals: [],
      home: { of: 'operator' },
    });
  });

  test.each(['@operator', '@U00', 'D0123', 'C04'])('%s is a valid channel', async (channel) => {
    const { status } = await answerOf('GET', `/sandbox/messages?user=operator&channel=${channel}`);
    expect(status).toBe(200);
  });
});

describe('wrong input', () => {
  test.each([
    [
      '/sandbox/command',
      { user: 'bob', channel: 'ops', command: '/fleet' },
      /^user "bob" is not a user here; users: operator, operator2,/,
    ],
    [
      '/sandbox/command',
      { user: 'operator', channel: 'nope', command: '/fleet' },
      /^channel "nope" is not a channel here; channels: ops, approvals,/,
    ],
    [
      '/sandbox/message',
      { user: 'operator', channel: '@nobody', text: 'x' },
      /^channel "@nobody" is not a channel/,
    ],
    ['/sandbox/command', { channel: 'ops', command: '/fleet' }, /^user is missing$/],
    ['/sandbox/command', { user: 3, channel: 'ops', command: '/fleet' }, /^user must be of type string$/],
    ['/sandbox/click', { user: 'operator', action_id: 'approve' }, /^needs channel and ts, or view_id$/],
    [
      '/sandbox/world',
      { do: 'explode' },
      /^do is "explode"; it must be one of patch-fails, patch-applies, .*quiet$/,
    ],
    ['/sandbox/world', {}, /^do is missing; it must be one of patch-fails,/],
    [
      '/sandbox/fault',
      { service: 'mail', match: 'x', kind: 'cut' },
      /^service is "mail"; it must be one of management, slack$/,
    ],
    [
      '/sandbox/fault',
      { service: 'slack', match: 'x', kind: 'melt' },
      /it must be one of status, slow, late, cut, cut-after, malformed, throttle, answer, list$/,
    ],
    ['/sandbox/fault', { service: 'slack', match: 'x', kind: 'cut', times: 0 }, /^times /],
    ['/sandbox/clock', { advance: 'soon' }, /^advance must be a duration such as 90s, 31m, 2h/],
    ['/sandbox/clock', { advance: 31 }, /^advance must be of type string$/],
    [
      '/sandbox/bot',
      { do: 'dance' },
      /^do is "dance"; it must be one of stop, kill, start, pause, resume, hangup$/,
    ],
    ['/sandbox/bot', { do: 'start', skew: '2m' }, /^skew must be a signed duration such as/],
    ['/sandbox/bot', { do: 'start', index: 8 }, /^index /],
    ['/sandbox/bot', '{"do":', /^the body is not JSON$/],
    ['/sandbox/bot', '[]', /^must be of type object$/],
  ])('to %s is named: %j', async (path, body, error) => {
    const answer = await answerOf('POST', path, body);
    expect(answer).toMatchObject({ status: 400, ok: false });
    expect(answer.error).toMatch(error);
    expect(fakes.asked).toEqual([]);
  });

  test('names every fault at once', async () => {
    const { error } = await answerOf('POST', '/sandbox/fault', {});
    expect(error).toMatch(/service.*; match is missing; kind/);
  });

  test('of more than a megabyte is refused', async () => {
    const { status } = await answerOf('POST', '/sandbox/message', `"${'x'.repeat(1_100_000)}"`);
    expect(status).toBe(413);
  });

  test.each([
    ['GET', '/sandbox/nothing'],
    ['POST', '/elsewhere'],
    ['GET', '/sandbox/journal/more'],
  ])('%s %s is not found, in JSON', async (method, path) => {
    expect(await answerOf(method, path)).toEqual({
      status: 404,
      ok: false,
      error: `no route for ${method} ${path}`,
    });
  });
});

describe('the world around the bot', () => {
  test('performs requests and names the events', async () => {
    const order = { do: 'patch-fails', device: 'web-01', patch: 'openssl' };
    expect(await answerOf('POST', '/sandbox/world', order)).toEqual({
      status: 200,
      ok: true,
      events: [1, 2],
    });
    expect(fakes.worldOrders).toEqual([order]);
  });

  test('says what it cannot do', async () => {
    const order = { do: 'patch-fails', device: 'nowhere' };
    expect(await answerOf('POST', '/sandbox/world', order)).toEqual({
      status: 400,
      ok: false,
      error: 'no device is named nowhere',
    });
  });

  test('moves time and says what it is then', async () => {
    expect(await answerOf('POST', '/sandbox/clock', { advance: '31m' })).toEqual({
      status: 200,
      ok: true,
      clock: START + 31 * MINUTE,
    });
  });

  test('puts faults on the wire, takes them off, and keeps a journal', async () => {
    const served = await fakes.wire.serve({ service: 'management', fetch: () => new Response('{}') });
    const fault = { service: 'management', match: 'GET /servers', kind: 'status', status: 503 };
    expect(await answerOf('POST', '/sandbox/fault', fault)).toMatchObject({ ok: true });
    expect((await fetch(`${served.url}/servers`)).status).toBe(503);
    expect(await answerOf('DELETE', '/sandbox/fault')).toMatchObject({ ok: true });
    expect((await fetch(`${served.url}/servers`)).status).toBe(200);
    expect(await answerOf('GET', '/sandbox/journal?service=management')).toMatchObject({
      requests: [
        { at: START, method: 'GET', path: '/servers', status: 503 },
        { at: START, method: 'GET', path: '/servers', status: 200 },
      ],
    });
    expect(await answerOf('GET', '/sandbox/journal?service=slack')).toMatchObject({ requests: [] });
    expect((await answerOf('GET', '/sandbox/journal?service=mail')).status).toBe(400);
    await served.stop();
  });

  test('the faults in force and whether the world lives are part of the state', async () => {
    expect(await answerOf('GET', '/sandbox/state')).toMatchObject({ faults: [], living: false });
    const fault = { service: 'slack', match: 'chat.update', kind: 'throttle', retry_after: 5 };
    await answerOf('POST', '/sandbox/fault', { ...fault, times: 3 });
    await answerOf('POST', '/sandbox/world', { do: 'live' });
    expect(await answerOf('GET', '/sandbox/state')).toMatchObject({
      faults: [{ ...fault, left: 3 }],
      living: true,
    });
  });

  test('goes back to the seed', async () => {
    expect(await answerOf('POST', '/sandbox/reset', {})).toMatchObject({ status: 200, ok: true });
    expect(fakes.asked).toEqual([['reset', undefined]]);
  });
});

describe('the processes of the bot', () => {
  test.each([
    [{ do: 'stop' }, ['stop', {}], false],
    [{ do: 'kill', index: 1 }, ['kill', { index: 1 }], false],
    [{ do: 'pause', count: 1 }, ['pause', { count: 1 }], true],
    [{ do: 'resume' }, ['resume', {}], true],
    [{ do: 'hangup' }, ['hangup', {}], true],
    [{ do: 'start', count: 2 }, ['start', { count: 2 }], true],
    [{ do: 'start', skew: '+2m' }, ['start', { skewMs: 120_000 }], true],
    [{ do: 'start', index: 1, skew: '-30s' }, ['start', { index: 1, skewMs: -30_000 }], true],
  ])('stop, are killed, pause, hang up and start: %j', async (order, asked, running) => {
    expect(await answerOf('POST', '/sandbox/bot', order)).toMatchObject({ status: 200, ok: true });
    expect(fakes.asked).toEqual([asked]);
    expect(await answerOf('GET', '/sandbox/state')).toMatchObject({ bot: { running } });
  });

  test('say which run and which are paused, how the last ended, and what was written', async () => {
    expect(await answerOf('GET', '/sandbox/bot')).toEqual({
      status: 200,
      running: 1,
      places: [0],
      paused: [],
      last_exit: health.lastExit,
      lines: health.lines,
    });
  });

  test('have a configuration file that is written, and what is wrong with it is said', async () => {
    const write = (body: unknown) => answerOf('POST', '/sandbox/configuration', body);
    const text = 'roles: {}';
    expect(await answerOf('GET', '/sandbox/configuration')).toEqual({ status: 200, text });
    expect(await write({ text: 'roles: {}\n' })).toEqual({ status: 200, ok: true, problems: [] });
    const problems = ['line 1, column 1: a fault'];
    expect(await write({ text: '' })).toEqual({ status: 200, ok: false, problems });
    expect(await write({})).toEqual({ status: 400, ok: false, error: 'text is missing' });
    expect(fakes.asked).toEqual([
      ['configuration', 'roles: {}\n'],
      ['configuration', ''],
    ]);
  });
});

describe('what the page reads besides', () => {
  const messages = (query: string) => answerOf('GET', `/sandbox/messages?channel=ops&${query}`);

  test('messages are all of a channel unless a part is requested', async () => {
    expect(await messages('user=operator')).toEqual({ status: 200, messages: [message] });
    expect(await messages('user=operator&limit=10&replies=false&since=4')).toEqual({
      status: 200,
      messages: [message],
      removed: [],
      whole: true,
      more: false,
      cursor: 1,
    });
  });

  test.each(['', '&limit=5'])('messages of a channel that one cannot see are refused%s', async (part) => {
    const error = 'outsider cannot see ops';
    expect(await messages(`user=outsider${part}`)).toEqual({ status: 400, ok: false, error });
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'before=yesterday', 'replies=maybe', 'since=-1'])(
    'messages are refused for %s',
    async (part) => {
      expect((await messages(`user=operator&${part}`)).status).toBe(400);
    },
  );

  test('a file is a download and never a page', async () => {
    const file = (id: string) => callControl(fakes, 'GET', `/sandbox/file?user=operator&id=${id}`);
    const answer = await file('F1');
    expect(await answer.text()).toBe('a;b');
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''r%C3%A4port.csv");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await file('F2')).status).toBe(404);
  });

  test('devices are found by a part of the name', async () => {
    const devices = [{ value: 'web-01', label: 'web-01 · #1' }];
    expect(await answerOf('GET', '/sandbox/devices?q=web')).toEqual({ status: 200, devices });
  });
});

describe('who may control the sandbox', () => {
  test.each(['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', '127.0.0.1'])(
    'requests to %s are taken',
    async (host) => {
      expect((await callControl(fakes, 'GET', '/sandbox/state', undefined, { host })).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    '0.0.0.0:3000',
    'localhost.evil',
    '',
  ])('requests to the name %j are refused', async (host) => {
    const response = await callControl(fakes, 'POST', '/sandbox/reset', {}, { host });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ ok: false });
    expect(fakes.asked).toEqual([]);
  });

  const resetFrom = async (origin: string) =>
    (await callControl(fakes, 'POST', '/sandbox/reset', {}, { origin })).status;
  test('the own page is welcome', async () => {
    expect(await resetFrom('http://127.0.0.1:3000')).toBe(200);
  });

  test.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1:3001',
    'http://localhost:3000',
    'https://127.0.0.1:3000',
  ])('a page of %s is not', async (origin) => {
    expect(await resetFrom(origin)).toBe(403);
    expect(fakes.asked).toEqual([]);
  });
});

describe('a duration', () => {
  test.each([
    ['90s', 90 * SECOND],
    ['31m', 31 * MINUTE],
    ['2h', 2 * HOUR],
    ['1d', DAY],
    ['1h30m', HOUR + 30 * MINUTE],
    ['1d 2h 3m 4s', DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND],
    [' 5m ', 5 * MINUTE],
    ['400d', 400 * DAY],
  ])('reads %j', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '31', 'm', '-5m', '1.5h', '5 m', '31M', '1w', '0s', '401d', '9999999999d', '5m!', 'm5'])(
    'refuses %j',
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );
});

const schema = z.object({
  count: z.int().min(1).max(9).exactOptional(),
  match: z.string().min(1).max(4).exactOptional(),
  people: z.array(z.string()).max(1).exactOptional(),
});
const app = new Hono().post(
  '/',
  validateBody(schema, () => ({ ok: true })),
);

test.each([
  [{ count: 0 }, 'count must be at least 1'],
  [{ count: 10 }, 'count must be at most 9'],
  [{ match: '' }, 'match must not be empty'],
  [{ match: 'longer' }, 'match must have at most 4 characters'],
  [{ people: ['a', 'b'] }, 'people must have at most 1 entries'],
  [{ count: 'many' }, 'count must be of type number'],
])('%j is refused in plain words', async (body, error) => {
  const response = await app.request('/', { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ ok: false, error });
});
