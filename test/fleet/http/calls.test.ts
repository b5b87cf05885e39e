/** Calls through the whole client: limits, pauses and the breaker together, over real sockets. */
import { describe, expect, it } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, errorOf, ORGANIZATION, pagesOf, rowsOf, scriptedFleet, until } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';

const start = instant(Date.UTC(2026, 0, 1));
const row = { body: listedDevice(DEVICE, { organization_id: ORGANIZATION }) };

describe('a service that is down', () => {
  it('is no longer called, and a write is certainly not carried out', async () => {
    const clock = createManualClock(start);
    const { reader, writer, figures, service } = await scriptedFleet({ status: 500 }, { clock });
    for (let reads = 0; reads < 4; reads += 1) await errorOf(reader.device(DEVICE));
    expect(service.requests).toHaveLength(8);
    const held = { kind: 'breaker', failures: 8, retryInMs: 5_000 };
    expect(await errorOf(reader.device(DEVICE, { lane: 'person' }))).toMatchObject({
      kind: 'unreachable',
      status: null,
      held,
    });
    expect(await writer.issue(DEVICE, { kind: 'scan' })).toMatchObject({
      kind: 'unsent',
      retryAfterMs: 5_000,
      error: { kind: 'unreachable', held },
    });
    expect(service.requests).toHaveLength(8);
    expect(figures()).toMatchObject({
      running: 0,
      breaker: { state: 'open', retryInMs: 5_000 },
      outcomes: { broken: 8, held: 4 },
    });
  });

  it('is first called again by a person’s read, and serves everybody once it answers', async () => {
    const clock = createManualClock(start);
    const { reader, figures, service } = await scriptedFleet((_, index) => (index < 8 ? 'drop' : row), {
      clock,
    });
    for (let reads = 0; reads < 4; reads += 1) await errorOf(reader.device(DEVICE));
    await clock.advance(2_000);
    await errorOf(reader.device(DEVICE));
    expect(service.requests).toHaveLength(8);
    expect(await reader.device(DEVICE, { lane: 'person' })).toMatchObject({ id: 42 });
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
    expect(figures().breaker.state).toBe('closed');
  });
});

describe('the limit that answers state', () => {
  it('holds the next call until the reset, by the service’s own time', async () => {
    const clock = createManualClock(start);
    const headers = {
      date: 'Thu, 01 Jan 2015 12:00:00 GMT',
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.UTC(2015, 0, 1, 12, 0, 30) / 1_000),
    };
    const { reader, figures } = await scriptedFleet({ ...row, headers }, { clock });
    await reader.device(DEVICE);
    expect(figures().pausedForMs).toBe(30_000);
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind: 'throttled', retryAfterMs: 30_000 });
    await clock.advance(30_000);
    expect(await reader.device(DEVICE)).toMatchObject({ id: 42 });
  });
});

describe('a walk in the background', () => {
  const list = (page: number) =>
    Array.from({ length: 2 }, (_, index) =>
      listedDevice(page * 2 + index + 1, { organization_id: ORGANIZATION, total_count: 60 }),
    );

  it('waits out the limit of lists, and a person never waits behind it', async () => {
    const clock = createManualClock(start);
    const { reader, figures } = await scriptedFleet(
      ({ path, query }) => (path === '/servers' ? { body: list(Number(query['page'])) } : row),
      { clock, deadlineMs: 2_000 },
    );
    const walking = pagesOf(reader.devices());
    while (figures().waiting.background === 0) await new Promise(setImmediate);
    expect(figures().tokens).toMatchObject({ lists: 9 });
    expect(await reader.device(DEVICE, { lane: 'person', deadlineMs: 1_000 })).toMatchObject({ id: 42 });
    for await (const page of reader.devices({}, { lane: 'person', deadlineMs: 1_000 })) {
      expect(page.rows).toHaveLength(2);
      break;
    }
    await clock.advance(61_000);
    expect(await walking).toHaveLength(30);
  });

  it('with a deadline of its own fails at once when it cannot be met', async () => {
    const clock = createManualClock(start);
    const { reader, figures } = await scriptedFleet(({ query }) => ({ body: list(Number(query['page'])) }), {
      clock,
    });
    expect(await errorOf(pagesOf(reader.devices({}, { deadlineMs: 5_000 })))).toMatchObject({
      kind: 'throttled',
      status: null,
      retryAfterMs: 61_000,
      held: { kind: 'limit' },
    });
    expect(figures().outcomes).toEqual({ answered: 20, held: 1 });
  });
});

it('a walk that waits for our own limit ends when the client is closed', async () => {
  const rows = ({ query }: Seen): Reply => ({ body: [{ id: Number(query['page']) + 1, total_count: 9 }] });
  const { reader, figures, close } = await scriptedFleet(rows, { limits: { listsPerMinute: 3 } });
  const walk = errorOf(rowsOf(reader.devices()));
  await until(() => figures().waiting.background === 1 && figures().running === 0);
  await close();
  expect(await walk).toMatchObject({ kind: 'unreachable', status: null, held: { kind: 'stopping' } });
});
