import { describe, expect, it } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, errorOf, ORGANIZATION, rowsOf, scriptedFleet, until } from '../harness.ts';
import type { Reply } from '../scripted-server.ts';

describe('a read that fails', () => {
  const row = { body: listedDevice(DEVICE, { organization_id: ORGANIZATION }) };

  it.each<[string, Reply]>([
    ['a fault of the service', { status: 500, body: { errors: ['Oops'] } }],
    ['a gateway’s page', { status: 502, body: '<html>' }],
    ['an overload with a wait', { status: 503, headers: { 'retry-after': '0' } }],
    ['a dropped connection', 'drop'],
    ['a connection cut inside the body', { cut: '{"id":' }],
  ])('is retried after %s', async (_, reply) => {
    const { reader, service } = await scriptedFleet([reply, reply, row]);
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
    expect(service.requests).toHaveLength(3);
  });

  it('is given up after three attempts', async () => {
    const { reader, service } = await scriptedFleet({ status: 500, body: { errors: ['Oops'] } });
    expect(await errorOf(reader.device(DEVICE))).toEqual({
      kind: 'broken',
      method: 'GET',
      path: '/servers/{id}',
      status: 500,
      detail: 'Oops',
    });
    expect(service.requests).toHaveLength(3);
  });

  it.each<[string, Reply, string]>([
    ['a bad key', { status: 401 }, 'unauthorized'],
    ['a missing right', { status: 403 }, 'forbidden'],
    ['an absent device', { status: 404 }, 'missing'],
    ['a wrong question', { status: 400 }, 'invalid'],
    ['half a JSON', { body: '{"id":' }, 'unreadable'],
    ['a page', { body: '<html>' }, 'unreadable'],
  ])('is not retried after %s', async (_, reply, kind) => {
    const { reader, service } = await scriptedFleet(reply);
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind });
    expect(service.requests).toHaveLength(1);
  });

  it('is not retried when the answer is too large', async () => {
    const { reader, service } = await scriptedFleet(row, { maxResponseBytes: 100 });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind: 'too-large' });
    expect(service.requests).toHaveLength(1);
  });

  it('is retried when one attempt timed out', async () => {
    const { reader, service } = await scriptedFleet(['hang', row], { attemptMs: 50 });
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
    expect(service.requests).toHaveLength(2);
  });

  it('ends at its deadline', async () => {
    const { reader, service } = await scriptedFleet('hang');
    expect(await errorOf(reader.device(DEVICE, { deadlineMs: 50 }))).toMatchObject({ kind: 'timeout' });
    expect(service.requests).toHaveLength(1);
  });

  it('ends with the caller’s reason when the caller gives up between two attempts', async () => {
    const abort = new AbortController();
    // The jitter is computed right before the wait between two attempts.
    const random = () => {
      setImmediate(() => abort.abort(new Error('went home')));
      return 0.9;
    };
    const { reader, service } = await scriptedFleet({ status: 500 }, { random });
    await expect(reader.device(DEVICE, { signal: abort.signal })).rejects.toThrow('went home');
    expect(service.requests).toHaveLength(1);
  });
});

describe('a throttled read', () => {
  const row = { body: listedDevice(DEVICE, { organization_id: ORGANIZATION }) };
  const start = instant(Date.UTC(2026, 0, 1));

  it('fails at once when the wait exceeds its deadline, and so do all others until the clock has passed it', async () => {
    const clock = createManualClock(start);
    const { reader, writer, service } = await scriptedFleet([{ status: 429 }, row], { clock });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({
      kind: 'throttled',
      status: 429,
      retryAfterMs: 60_000,
    });
    expect(await errorOf(reader.device(DEVICE, { lane: 'person' }))).toMatchObject({
      kind: 'throttled',
      status: null,
    });
    expect(await writer.issue(DEVICE, { kind: 'scan' })).toMatchObject({
      kind: 'unsent',
      error: { kind: 'throttled', retryAfterMs: 60_000 },
      retryAfterMs: 60_000,
    });
    expect(service.requests).toHaveLength(1);
    await clock.advance(60_000);
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
  });

  it('waits for what Retry-After says, on the clock', async () => {
    const clock = createManualClock(start);
    const { reader, service } = await scriptedFleet(
      (_, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '5' } } : row),
      { clock },
    );
    const reading = reader.device(DEVICE);
    await until(() => service.requests.length === 1);
    // The pause begins when the answer is read, which may be a few turns later.
    let answered = false;
    void reading.finally(() => {
      answered = true;
    });
    while (!answered) {
      await clock.advance(1_000);
      await new Promise(setImmediate);
    }
    expect(await reading).toMatchObject({ id: 42 });
    expect(clock.now() - start).toBeGreaterThanOrEqual(5_000);
  });

  it('waits for the date that Retry-After says, by the service’s own time', async () => {
    const headers = { date: 'Thu, 01 Jan 2026 12:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 12:00:40 GMT' };
    const { reader } = await scriptedFleet({ status: 429, headers });
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind: 'throttled', retryAfterMs: 40_000 });
  });
});

describe('a person who waits', () => {
  it('is served before background work that came earlier', async () => {
    const row = listedDevice(DEVICE, { organization_id: ORGANIZATION });
    const held: (() => void)[] = [];
    const { reader, service } = await scriptedFleet(
      ({ path }) =>
        new Promise<Reply>((resolve) => {
          held.push(() => resolve({ body: path === '/servers/42' ? row : [] }));
        }),
      { concurrency: 1 },
    );
    const background = [rowsOf(reader.groups()), rowsOf(reader.events())];
    await until(() => held.length === 1);
    const person = reader.device(DEVICE, { lane: 'person' });
    for (let answered = 0; answered < 3; answered += 1) {
      await until(() => held.length > answered);
      held[answered]?.();
    }
    await Promise.all([...background, person]);
    expect(service.requests.map(({ path }) => path)).toEqual(['/servergroups', '/servers/42', '/events']);
  });
});
