/** Slack's requests over HTTP: which are accepted, and what happens to an invalid body. */
import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { command, FORM, post, signed, startHttp } from './receiver-harness.ts';

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
    const kind = fc.constantFrom(
      'event_callback',
      'block_actions',
      'view_submission',
      'block_suggestion',
      'shortcut',
    );
    const part = fc.constantFrom(
      'type',
      'event',
      'view',
      'user',
      'actions',
      'channel',
      'team',
      'authorizations',
    );
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
    const body = asForm(command);
    const init = { method: 'POST', body, headers: { 'content-type': FORM, ...headersOf() } };
    expect((await fetch(`${url}/slack/events`, init)).status).toBe(401);
    expect(heard).toEqual([]);
  });

  it.each([-290, 290])('takes a clock that is %i seconds off', async (secondsAhead) => {
    const { url } = await startHttp();
    expect((await post(url, asForm(command), { type: FORM, secondsAhead })).status).toBe(200);
  });

  it('is not required for Slack’s certificate check, whose body is not read', async () => {
    const { url, heard } = await startHttp();
    const body = asForm({ ...command, ssl_check: '1' });
    const answer = await fetch(`${url}/slack/events`, {
      method: 'POST',
      body,
      headers: { 'content-type': FORM },
    });
    expect(answer.status).toBe(200);
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
