/** Requests whose effect comes late, even after the caller has left. */
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import type { Served, Wire } from '../../../src/sandbox/contracts/services.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';
import { until } from '../../harness/until.ts';

const START = instant(1_800_000_000_000);
let wire: Wire;
let server: Served;
let worked: string[];

beforeEach(async () => {
  wire = createWire({ clock: createManualClock(START) });
  worked = [];
  server = await wire.serve({
    service: 'slack',
    fetch: async (request) => {
      worked.push(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);
      return Response.json({ ok: true });
    },
  });
});
afterEach(() => server.stop());

const late = (ms: number) => wire.inject({ service: 'slack', match: 'chat.', kind: 'late', ms, times: 1 });

/** Sends a post and disconnects; resolves when the service has received all of it. */
async function postAndLeave(): Promise<void> {
  const sent = request(`${server.url}/api/chat.postMessage`, { method: 'POST' });
  sent.on('error', () => undefined);
  sent.end('channel=C1&text=hello');
  await until(() => wire.journal().some((entry) => entry.sent !== undefined));
  sent.destroy();
}

describe('a fault of kind late', () => {
  test('does the work and answers as usual in the end', async () => {
    late(20);
    const answer = await fetch(`${server.url}/api/chat.update`, { method: 'POST', body: 'ts=1.1' });
    expect(await answer.json()).toEqual({ ok: true });
    expect(worked).toEqual(['POST /api/chat.update ts=1.1']);
    expect(wire.journal()).toMatchObject([{ fault: 'late', status: 200 }]);
  });

  test('does not do the work before its time', async () => {
    late(60_000);
    await postAndLeave();
    expect(worked).toEqual([]);
    expect(wire.journal()[0]).not.toHaveProperty('done');
  });

  test('does the work although the caller is gone', async () => {
    late(200);
    await postAndLeave();
    await until(() => worked.length > 0);
    expect(worked).toEqual(['POST /api/chat.postMessage channel=C1&text=hello']);
    expect(wire.journal()).toMatchObject([{ status: null, done: { at: START, status: 200 } }]);
  });

  test('is dropped by a reset, so that nothing of before happens after it', async () => {
    late(60_000);
    const answer = fetch(`${server.url}/api/chat.update`, { method: 'POST', body: 'ts=1.1' });
    await until(() => wire.journal().some((entry) => entry.sent !== undefined));
    wire.reset();
    expect((await answer).status).toBe(503);
    expect(worked).toEqual([]);
  });

  test('reads on GET requests are late too', async () => {
    wire.inject({ service: 'slack', match: 'GET /api/conversations', kind: 'late', ms: 20 });
    expect((await fetch(`${server.url}/api/conversations.history`)).status).toBe(200);
    expect(worked).toEqual(['GET /api/conversations.history ']);
  });
});
