/** Slack's requests over HTTP: which are accepted, and what happens to an invalid body. */

import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { later, MINUTE, wallNow } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createSignatureMemory } from '../../../src/slack/receiver/request-checks.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import {
  command,
  enveloped,
  FORM,
  JSON_TYPE,
  post,
  signed,
  startHttp,
  startSocket,
} from './receiver-harness.ts';

const asForm = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();

describe('a signed body', () => {
  it('that is a command is acknowledged and heard', async () => {
    const { url, heard } = await startHttp();
    const answer = await post(url, asForm(command), { type: `${FORM}; charset=utf-8` });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(heard).toMatchObject([{ text: 'device web-01', caller: { person: 'U1' } }]);
  });

  it.each([
    ['null', 'null'],
    ['a number', '7'],
    ['a string', '"hello"'],
    ['a list', '[{"type":"event_callback"}]'],
    ['broken JSON', '{"type":'],
    ['nothing', ''],
    ['nested deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['an object nested deep', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['an object of no kind', '{}'],
    ['of an unknown kind', '{"type":"workflow_step_edit"}'],
    ['an event that is null', '{"type":"event_callback","event":null}'],
    ['an event that is a list', '{"type":"event_callback","event":[]}'],
    ['an event without a type', '{"type":"event_callback","event":{"channel":null}}'],
    [
      'an event with odd parts',
      '{"type":"event_callback","event":{"type":"message","item":null,"user":null}}',
    ],
    ['a press of nobody', '{"type":"block_actions","actions":[],"user":null}'],
    ['a press without actions', '{"type":"block_actions","actions":null}'],
    ['a command that is an object', '{"command":{}}'],
    ['an unknown command', '{"command":"/other","user_id":"U1","channel_id":"C1","trigger_id":"t"}'],
    ['a closed window', '{"type":"view_closed","view":{},"user":{"id":"U1"}}'],
    ['a submission of no window', '{"type":"view_submission","view":null,"user":{"id":"U1"}}'],
    ['a question for no address', '{"type":"url_verification","challenge":{}}'],
  ])('%s is acknowledged, and nothing is done', async (_, body) => {
    const { url, heard, lines } = await startHttp();
    const answer = await post(url, body);
    expect(answer.status).toBe(200);
    expect(heard).toEqual([]);
    const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(said.filter(({ event }) => event === 'slack.odd').length).toBeLessThanOrEqual(2);
    expect(lines.join('')).not.toContain('stack');
  });

  it.each([
    ['without a payload', ''],
    ['whose payload is null', asForm({ payload: 'null' })],
    ['whose payload is broken', asForm({ payload: '{' })],
    ['with two payloads', 'payload={}&payload={}'],
    ['whose payload is empty', 'payload='],
  ])('that is a form %s is acknowledged', async (_, body) => {
    const { url, heard } = await startHttp();
    expect((await post(url, body, { type: FORM })).status).toBe(200);
    expect(heard).toEqual([]);
  });

  it('is answered with the challenge when Slack asks for it', async () => {
    const { url } = await startHttp();
    const answer = await post(url, JSON.stringify({ type: 'url_verification', challenge: 'abc' }));
    expect(await answer.json()).toEqual({ challenge: 'abc' });
  });

  it('of more than a mebibyte is refused with 413, also where it does not say how long it is', async () => {
    const { url, heard } = await startHttp();
    const long = JSON.stringify({ ...command, text: 'x'.repeat(1024 * 1024) });
    expect((await post(url, long)).status).toBe(413);
    const body = new Blob([long]).stream();
    const streamed = { method: 'POST', headers: signed(long), body, duplex: 'half' } as const;
    expect((await fetch(`${url}/slack/events`, streamed)).status).toBe(413);
    expect(heard).toEqual([]);
  });

  it('of any JSON ends acknowledged, and the next command is heard', { timeout: 60_000 }, async () => {
    const { url, heard } = await startHttp();
    const kinds = 'event_callback block_actions view_submission block_suggestion shortcut';
    const kind = fc.constantFrom(...kinds.split(' '));
    const part = fc.constantFrom(...'type event view user actions channel team authorizations'.split(' '));
    const odd = fc
      .tuple(kind, fc.dictionary(part, fc.jsonValue({ maxDepth: 3 })))
      .map(([type, fields]) => ({ type, ...fields }));
    const body = fc.oneof(fc.jsonValue(), odd, fc.record({ type: kind, event: fc.jsonValue() }));
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (value, isForm) => {
        const text = JSON.stringify(value);
        const answer = await (isForm
          ? post(url, asForm({ payload: text }), { type: FORM })
          : post(url, text));
        expect(answer.status).toBe(200);
        await answer.arrayBuffer();
      }),
      { numRuns: 150 },
    );
    heard.length = 0;
    await post(url, asForm(command), { type: FORM });
    expect(heard).toHaveLength(1);
  });
});

describe('the signature', () => {
  it.each<[string, () => Record<string, string>]>([
    ['is missing', () => ({})],
    ['is of another secret', () => signed(asForm(command), { secret: 'another' })],
    ['is too old', () => signed(asForm(command), { secondsAhead: -310 })],
    ['is dated ahead', () => signed(asForm(command), { secondsAhead: 310 })],
    ['has an odd time', () => ({ ...signed(asForm(command)), 'x-slack-request-timestamp': '1e9' })],
    ['is cut', () => ({ ...signed(asForm(command)), 'x-slack-signature': 'v0=abc' })],
  ])('refuses a request where it %s', async (_, headersOf) => {
    const { url, heard } = await startHttp();
    const headers = { 'content-type': FORM, ...headersOf() };
    expect((await send(url, asForm(command), headers)).status).toBe(401);
    expect(heard).toEqual([]);
  });

  it.each([-290, 290])('takes a clock that is %i seconds off', async (secondsAhead) => {
    const { url } = await startHttp();
    expect((await post(url, asForm(command), { type: FORM, secondsAhead })).status).toBe(200);
  });

  it('is not required for Slack’s certificate check, whose body is not read', async () => {
    const { url, heard } = await startHttp();
    const body = asForm({ ...command, ssl_check: '1' });
    expect((await send(url, body, { 'content-type': FORM })).status).toBe(200);
    expect(heard).toEqual([]);
  });
});

describe('the server', () => {
  it('answers health routes, and nothing else', async () => {
    const { url } = await startHttp();
    expect(await (await fetch(`${url}/healthz?now`)).json()).toEqual({ alive: true });
    expect((await fetch(`${url}/slack/events`)).status).toBe(404);
    expect((await fetch(`${url}/other`, { method: 'POST' })).status).toBe(404);
  });

  it('says a few of many odd bodies a minute', async () => {
    const { url, lines } = await startHttp();
    for (let count = 0; count < 20; count += 1) await post(url, 'null');
    expect(lines.filter((line) => line.includes('slack.odd'))).toHaveLength(3);
  });

  it('keeps at most 256 connections open at once', async () => {
    const { url } = await startHttp();
    const port = Number(new URL(url).port);
    const sockets = Array.from({ length: 260 }, () => connect(port, '127.0.0.1'));
    let closed = 0;
    for (const socket of sockets) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        closed += 1;
      });
    }
    await expect.poll(() => closed).toBe(4);
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    ['whose headers do not end', 'GET /healthz HTTP/1.1\r\nhost: x\r\n'],
    ['whose bodies do not end', 'POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'],
    ['that say nothing', ''],
  ])('answers health checks and Slack beside 300 connections %s', async (_, begun) => {
    const { url, heard } = await startHttp();
    const port = Number(new URL(url).port);
    const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'));
    await Promise.all(
      sockets.map(async (socket) => {
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(begun);
      }),
    );
    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ alive: true });
    expect((await post(url, asForm(command), { type: FORM })).status).toBe(200);
    expect(heard).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
  });

  it('closes a connection whose headers do not end', { timeout: 20_000 }, async () => {
    const { url } = await startHttp();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('POST /slack/events HTTP/1.1\r\nhost: x\r\n');
    const ended = await new Promise<string>((resolve) => {
      let said = '';
      socket.on('data', (data) => {
        said += String(data);
      });
      socket.on('close', () => resolve(said));
    });
    expect(ended).toMatch(/^HTTP\/1\.1 408/);
  });
});

async function aStore() {
  const store = await memoryStore();
  onTestFinished(store.close);
  return store;
}

/** Posts what somebody recorded, header by header. */
const send = (url: string, body: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${url}/slack/events`, { method: 'POST', headers, body });

describe('a request that is sent again as it was', () => {
  const BODIES: readonly [string, string, string][] = [
    ['a command', FORM, asForm({ ...command, text: 'pause off' })],
    ['a press', FORM, asForm({ payload: JSON.stringify(aPress()) })],
    ['an event', JSON_TYPE, JSON.stringify(anEvent())],
  ];
  it.each(BODIES)('%s is refused, by each replica and after a restart', async (_, type, body) => {
    const { replicas } = await aStore();
    const first = await startHttp(replicas);
    const recorded = { 'content-type': type, ...signed(body) };
    expect((await send(first.url, body, recorded)).status).toBe(200);
    const second = await startHttp(replicas);
    for (const { url } of [first, second]) expect((await send(url, body, recorded)).status).toBe(401);
    expect([first.heard.length, second.heard.length]).toEqual([1, 0]);
  });

  it('is refused by one process also while the database does not answer', async () => {
    const rememberSignature = () => Promise.reject(new Error('down'));
    const { url, heard } = await startHttp({ rememberSignature });
    const body = asForm(command);
    const recorded = { 'content-type': FORM, ...signed(body) };
    expect((await send(url, body, recorded)).status).toBe(200);
    expect((await send(url, body, recorded)).status).toBe(401);
    expect(heard).toHaveLength(1);
  });

  it('is no retry of Slack’s, which has a new time and signature', async () => {
    const { replicas } = await aStore();
    const { url, heard } = await startHttp(replicas);
    const body = JSON.stringify(anEvent());
    expect((await post(url, body)).status).toBe(200);
    const retry = { 'content-type': JSON_TYPE, 'x-slack-retry-num': '1' };
    expect((await send(url, body, { ...retry, ...signed(body, { secondsAhead: 270 }) })).status).toBe(200);
    expect(heard).toHaveLength(2);
  });

  it('is remembered for ten minutes', async () => {
    const { replicas } = await aStore();
    const before = wallNow();
    expect(await createSignatureMemory(replicas, silentLog)('v0=1')).toBe(true);
    const comes = (minutes: number) => {
      const at = later(before, minutes * MINUTE);
      return replicas.rememberSignature('v0=1', at, later(at, 10 * MINUTE));
    };
    expect([await comes(9.9), await comes(11)]).toEqual([false, true]);
  });
});

describe('an answer', () => {
  const HOSTS: readonly [string, boolean][] = [
    ['https://hooks.slack.com/commands/T1/2/3', true],
    ['https://hooks.slack-gov.com/commands/T1/2/3', true],
    ['http://127.0.0.1:1/response/1', true],
    ['http://hooks.slack.com/commands/1', false],
    ['https://hooks.slack.com:8443/commands/1', false],
    ['https://hooks.slack.com@evil.example/1', false],
    ['https://user:word@hooks.slack.com/1', false],
    ['https://hooks.slack.com.evil.example/1', false],
    ['https://evil.example/hooks.slack.com', false],
    ['http://169.254.169.254/latest', false],
    ['file:///etc/passwd', false],
    ['not an address', false],
  ];
  it.each(HOSTS)('is sent to %s: %s', async (response_url, isSlack) => {
    const { url, answerable } = await startHttp();
    expect((await post(url, asForm({ ...command, response_url }), { type: FORM })).status).toBe(200);
    expect(answerable).toEqual([isSlack]);
  });
});

function aPress() {
  return {
    ...{ type: 'block_actions', user: { id: 'U1' }, channel: { id: 'C1' }, trigger_id: 't1' },
    container: { type: 'message', message_ts: '1.1' },
    actions: [{ action_id: 'resume', block_id: 'b', value: 'v' }],
    response_url: 'http://127.0.0.1:1/',
  };
}

function anEvent() {
  const event = { type: 'app_mention', channel: 'C1', user: 'U1', text: 'pause off', ts: '1.1' };
  return { type: 'event_callback', event_id: 'Ev1', event };
}

const press = { type: 'block_actions', user: null, actions: null };

describe('an envelope', () => {
  it('with a command is acknowledged and heard', async () => {
    const { send, acked, heard } = await startSocket();
    const { id, text } = enveloped('slash_commands', command);
    send(text);
    await expect.poll(() => heard).toMatchObject([{ text: 'device web-01' }]);
    await expect.poll(() => acked.has(id)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['without a payload', 'interactive', undefined],
    ['whose payload is null', 'interactive', null],
    ['whose payload is a list', 'slash_commands', [command]],
    ['whose payload is a number', 'slash_commands', 7],
    ['of no type', undefined, command],
    ['of an unknown type', 'unheard_of', command],
    ['of an event that is null', 'events_api', null],
    ['of an event without a body', 'events_api', { type: 'event_callback', event: null }],
    ['of an event without a type', 'events_api', { type: 'event_callback', event: {} }],
    ['of an event named like a signal', 'events_api', { type: 'event_callback', event: { type: 'close' } }],
    [
      'of an event named like a message',
      'events_api',
      { type: 'event_callback', event: { type: 'ws_message' } },
    ],
    ['of a press by nobody', 'interactive', press],
    ['of no kind', 'interactive', {}],
  ])('%s is acknowledged, and nothing is done', async (_, type, payload) => {
    const { send, acked, heard, connections } = await startSocket();
    const odd = enveloped(type, payload);
    send(odd.text);
    await expect.poll(() => acked.has(odd.id)).toBe(true);
    const good = enveloped('slash_commands', command);
    send(good.text);
    await expect.poll(() => heard).toHaveLength(1);
    expect(connections()).toBe(2);
  });

  it('that is invalid is ignored', async () => {
    const { send, heard, connections, lines } = await startSocket();
    for (const text of ['null', '7', '[]', '{', '', '{}', '{"type":null}']) send(text);
    send('{"envelope_id":7,"type":"interactive"}');
    send(enveloped('slash_commands', command).text);
    await expect.poll(() => heard).toHaveLength(1);
    expect(connections()).toBe(2);
    expect(lines.join('')).not.toContain('stack');
  });

  it('of any JSON leaves the connection as it is', { timeout: 60_000 }, async () => {
    const { send, acked, heard, connections } = await startSocket();
    const type = fc.constantFrom('events_api', 'interactive', 'slash_commands', 'toString', 'error', 'close');
    const inner = fc.jsonValue({ maxDepth: 3 });
    const event = fc.record({ type: fc.constant('event_callback'), event: inner });
    const payload = fc.oneof(fc.jsonValue({ maxDepth: 4 }), event);
    await fc.assert(
      fc.asyncProperty(type, payload, async (kind, value) => {
        const { id, text } = enveloped(kind, value);
        send(text);
        await expect.poll(() => acked.has(id), { interval: 1 }).toBe(true);
      }),
      { numRuns: 150 },
    );
    heard.length = 0;
    send(enveloped('slash_commands', command).text);
    await expect.poll(() => heard).toHaveLength(1);
    expect(connections()).toBe(2);
  });
});
