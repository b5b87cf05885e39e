/** Calls through the whole client: limits, pauses and the breaker together, over real sockets. */
import { describe, expect, it } from 'vitest';
import type { FleetClient } from '../../../src/fleet/client.ts';
import type { WriteOptions } from '../../../src/fleet/fleet.ts';
import type { FailedCall } from '../../../src/fleet/http/call-outcome.ts';
import { createWritePermit, retryDelay } from '../../../src/fleet/http/calls.ts';
import { type FailureCause, fleetError } from '../../../src/fleet/http/errors.ts';
import { createHttp } from '../../../src/fleet/http/http-client.ts';
import { createManualClock, instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { secret } from '../../../src/lib/log.ts';
import { stored } from '../editor/harness.ts';
import { listedDevice } from '../fixtures.ts';
import {
  DEVICE,
  errorOf,
  fleetAt,
  KEY,
  ORGANIZATION,
  pagesOf,
  rowsOf,
  scriptedFleet,
  until,
} from '../harness.ts';
import { type Reply, type Seen, scriptedServer } from '../scripted-server.ts';

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

function failed(cause: FailureCause, more: Partial<FailedCall> = {}): FailedCall {
  const error = fleetError({ method: 'GET', path: '/servers' }, null, cause, '');
  return { kind: 'failed', error, sent: true, retryable: true, retryAfterMs: null, ...more };
}
const first = { attempts: 1, leftMs: 20_000, random: 0.5 };

describe('a read that failed', () => {
  it('is retried after a random part of a growing wait', () => {
    const broken = failed({ kind: 'broken' });
    expect(retryDelay(broken, first)).toBe(250);
    expect(retryDelay(broken, { ...first, attempts: 2 })).toBe(500);
    expect(retryDelay(broken, { ...first, random: 0 })).toBe(0);
  });

  it('is given up after three attempts', () => {
    expect(retryDelay(failed({ kind: 'broken' }), { ...first, attempts: 3 })).toBeNull();
  });

  it('is given up when a retry cannot help', () => {
    expect(retryDelay(failed({ kind: 'unauthorized' }, { retryable: false }), first)).toBeNull();
  });

  it('is given up when the wait does not fit into the deadline', () => {
    expect(retryDelay(failed({ kind: 'broken' }), { ...first, leftMs: 250 })).toBeNull();
    expect(retryDelay(failed({ kind: 'unreachable' }), { ...first, leftMs: 0, random: 0 })).toBeNull();
    expect(retryDelay(failed({ kind: 'broken' }, { retryAfterMs: 30_000 }), first)).toBeNull();
    expect(retryDelay(failed({ kind: 'throttled', retryAfterMs: 60_000 }), first)).toBeNull();
  });

  it('waits as long as the service asked', () => {
    expect(retryDelay(failed({ kind: 'broken' }, { retryAfterMs: 3_000 }), first)).toBe(3_000);
  });

  it('leaves the wait of a throttled read to the pause of all calls', () => {
    expect(retryDelay(failed({ kind: 'throttled', retryAfterMs: 3_000 }), first)).toBe(0);
  });
});

const HERE = instant(Date.UTC(2026, 0, 5, 10, 2));
const THERE = instant(Date.UTC(2026, 0, 5, 10));
const date = (at: number) => ({ date: new Date(at).toUTCString() });

describe('the service’s clock', () => {
  it('is read from the date of its answers, and ticks with ours', async () => {
    const clock = createManualClock(HERE);
    const { reader, serviceNow } = await scriptedFleet({ headers: date(THERE), body: [] }, { clock });
    expect(serviceNow()).toBeNull();
    await rowsOf(reader.events());
    expect(serviceNow()).toBe(THERE);
    await clock.advance(MINUTE);
    expect(serviceNow()).toBe(later(THERE, MINUTE));
  });

  it('is not that of an error, which may come from a gateway', async () => {
    const clock = createManualClock(HERE);
    const script = [
      { headers: date(THERE), body: [] },
      { status: 404, headers: date(HERE), body: {} },
    ];
    const { reader, serviceNow } = await scriptedFleet(script, { clock });
    await rowsOf(reader.events());
    await errorOf(rowsOf(reader.events()));
    expect(serviceNow()).toBe(THERE);
  });
});

const scan = { kind: 'scan' } as const;
const GROUP = { name: 'new', parentId: groupId(1), refreshIntervalMinutes: 480 };
const DEVICE_FIELDS = {
  organization_id: ORGANIZATION,
  server_group_id: 5,
  exception: false,
  custom_name: '',
  ip_addrs: [],
  tags: ['x'],
};

describe('a write', () => {
  it.each<[string, () => Promise<boolean>]>([
    ['all writes are stopped', async () => false],
    ['it cannot be known', () => Promise.reject(new Error('no database'))],
  ])('is not sent where %s', async (_, mayWrite) => {
    const { writer, editor, reader, service, figures } = await scriptedFleet({ body: {} }, { mayWrite });
    expect(await writer.issue(DEVICE, scan)).toEqual({ kind: 'withheld' });
    expect(await editor.deleteDevice(DEVICE)).toEqual({ kind: 'withheld' });
    expect(await editor.createGroup(GROUP)).toEqual({ kind: 'withheld' });
    expect(service.requests).toEqual([]);
    expect(figures()).toMatchObject({ running: 0, outcomes: {}, breaker: { state: 'closed' } });
    await reader.countEvents().catch(() => null);
    expect(service.requests).toHaveLength(1);
  });

  it.each<[string, (client: FleetClient, options: WriteOptions) => Promise<unknown>]>([
    ['a command', ({ writer }, options) => writer.issue(DEVICE, scan, options)],
    ['an edit', ({ editor }, options) => editor.updateDevice(DEVICE, { exception: true }, options)],
    ['a new group', ({ editor }, options) => editor.createGroup(GROUP, options)],
    ['an edit of a group', ({ editor }, options) => editor.updateGroup(groupId(5), { notes: 'x' }, options)],
    ['tags', ({ editor }, options) => editor.tagDevices([DEVICE], { add: ['x'], remove: [] }, options)],
  ])('that its caller no longer wants is withheld at the last moment: %s', async (_, write) => {
    const client = await scriptedFleet(({ path }) => {
      const thing = path.startsWith('/servergroups') ? stored() : listedDevice(42, DEVICE_FIELDS);
      return { body: thing };
    });
    let questions = 0;
    const mayStart = () => {
      questions += 1;
      return false;
    };
    expect(JSON.stringify(await write(client, { mayStart }))).toContain('"kind":"withheld"');
    expect(questions).toBe(1);
    const writes = () => client.service.requests.filter(({ method }) => method !== 'GET');
    expect(writes()).toEqual([]);
    await write(client, { mayStart: () => true });
    expect(writes()).toHaveLength(1);
  });

  it('that waits for its turn is not sent when all writes are paused meanwhile', async () => {
    let open = true;
    const held = Promise.withResolvers<void>();
    const service = await scriptedServer(async () => {
      await held.promise;
      return { status: 201 };
    });
    const { writer, figures } = fleetAt(service.url, { concurrency: 1, mayWrite: async () => open });
    const first = writer.issue(DEVICE, scan);
    const second = writer.issue(DEVICE, scan);
    await until(() => service.requests.length === 1 && figures().waiting.write === 1);
    open = false;
    held.resolve();
    expect(await first).toEqual({ kind: 'accepted' });
    expect(await second).toEqual({ kind: 'withheld' });
    expect(service.requests).toHaveLength(1);
  });

  it('is checked once more when its connection is open', async () => {
    const service = await scriptedServer({ status: 201 });
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    const request = {
      method: 'POST',
      path: '/servers/{id}/queues',
      id: DEVICE,
      query: { o: ORGANIZATION },
    } as const;
    expect(await http.send(request, { timeoutMs: 5_000, mayStart: () => false })).toMatchObject({
      kind: 'failed',
      withheld: true,
      sent: false,
    });
    expect(service.requests).toEqual([]);
    expect(await http.send(request, { timeoutMs: 5_000, mayStart: () => true })).toMatchObject({
      kind: 'answered',
    });
    await http.close();
  });
});

describe('a permit', () => {
  it.each([
    ['holds for a second and a half', 1_500, true],
    ['holds no longer, so that a pause has effect within two seconds', 1_501, false],
  ])('%s after it was asked for', async (_, ms, isValid) => {
    let now = 0;
    const mayWrite = async () => {
      // The answer takes its time, in which a pause may begin.
      now += 1_000;
      return true;
    };
    const permit = createWritePermit(mayWrite, undefined, () => now);
    expect(await permit.check()).toBe(true);
    now = ms;
    expect(permit.isValid()).toBe(isValid);
  });

  it.each<[string, () => Promise<boolean>]>([
    ['a no', async () => false],
    ['no answer', () => Promise.reject(new Error('no database'))],
  ])('ends with %s, however recent the yes before it', async (_, later) => {
    const answers = [async () => true, later];
    const permit = createWritePermit(() => answers.shift()?.() ?? Promise.resolve(true));
    expect(await permit.check()).toBe(true);
    expect(await permit.check()).toBe(false);
    expect(permit.isValid()).toBe(false);
  });
});
