/** What the journal records of requests that change something. */
import { describe, expect, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { isWrite, sentFacts } from '../../../src/sandbox/wire/request-path.ts';
import { createJournal, createWire } from '../../../src/sandbox/wire/wire.ts';

const START = instant(1_800_000_000_000);

describe('what was sent', () => {
  test('is recorded for writes to the service and messages in Slack only', () => {
    const asks = (service: 'management' | 'slack', request: string) => {
      const [method = '', path = ''] = request.split(' ');
      return isWrite(service, { method, path });
    };
    expect(asks('management', 'POST /servers/1/queues')).toBe(true);
    expect(asks('management', 'DELETE /policies/1')).toBe(true);
    expect(asks('management', 'GET /servers')).toBe(false);
    expect(asks('slack', 'POST /api/chat.postMessage')).toBe(true);
    expect(asks('slack', 'POST /api/conversations.history')).toBe(false);
    expect(asks('slack', 'POST /actions/T1/1/[masked]')).toBe(false);
  });

  test('is the body of a write to the service', () => {
    const body = '{"command_type_name":"InstallUpdate","args":"curl"}';
    expect(sentFacts('management', body)).toEqual({
      body: { command_type_name: 'InstallUpdate', args: 'curl' },
    });
    expect(sentFacts('management', '')).toEqual({});
  });

  test('is what a message is about, whether it came as a form or as JSON', () => {
    const metadata = { event_type: 'card', event_payload: { key: 'alert:1', state: 'firing', more: 1 } };
    const facts = { channel: 'C1', ts: '1.1', text: 'hello', key: 'alert:1', state: 'firing' };
    const message = { channel: 'C1', ts: '1.1', text: 'hello', token: 'xoxb-secret' };
    const form = new URLSearchParams({ ...message, metadata: JSON.stringify(metadata) });
    expect(sentFacts('slack', form.toString())).toEqual(facts);
    expect(sentFacts('slack', JSON.stringify({ ...message, metadata }))).toEqual(facts);
  });

  test('holds no tokens and no response URLs, at any depth', () => {
    const body = { a: [{ api_key: 'k', token: 't', name: 'n' }], response_url: 'https://x', password: 'p' };
    expect(sentFacts('management', JSON.stringify(body))).toEqual({ body: { a: [{ name: 'n' }] } });
  });

  test('is bounded: of what is long or no JSON only the length is kept', () => {
    expect(sentFacts('management', 'no JSON')).toEqual({ length: 7 });
    expect(sentFacts('management', JSON.stringify('x'.repeat(9_000)))).toEqual({ length: 9_002 });
    expect(sentFacts('slack', `text=${'x'.repeat(900)}`)).toEqual({ text: 'x'.repeat(300) });
  });
});

describe('the journal', () => {
  test('says which fault a request met, and what the service did all the same', async () => {
    const wire = createWire({ clock: createManualClock(START) });
    const { url, stop } = await wire.serve({
      service: 'management',
      fetch: async () => new Response('{}', { status: 201 }),
    });
    const post = () =>
      fetch(`${url}/servers/7/queues`, { method: 'POST', body: '{"a":1}' }).catch(() => null);
    wire.inject({ service: 'management', match: 'POST', kind: 'cut-after', times: 1 });
    wire.inject({ service: 'management', match: 'POST', kind: 'status', times: 1 });
    await post();
    await post();
    await post();
    const base = { at: START, service: 'management', method: 'POST', path: '/servers/7/queues' };
    const sent = { body: { a: 1 } };
    const done = { at: START, status: 201 };
    expect(wire.journal()).toEqual([
      { ...base, fault: 'cut-after', status: null, sent, done },
      { ...base, fault: 'status', status: 500, sent },
      { ...base, status: 201, sent, done },
    ]);
    await stop();
  });

  test('keeps the newest requests, at least as many as it promises', () => {
    const journal = createJournal(3);
    for (let at = 1; at <= 10; at += 1) journal.note({ at, service: 'slack', method: 'GET', path: '/' });
    expect(journal.entries().map(({ at }) => at)).toEqual([7, 8, 9, 10]);
    expect(journal.entries('slack', 2).map(({ at }) => at)).toEqual([9, 10]);
    expect(journal.entries('management', 2)).toEqual([]);
    expect(journal.total()).toBe(10);
    journal.clear();
    expect(journal.total()).toBe(0);
  });
});
