import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { createManagementRateLimits } from '../../../src/sandbox/management/management.ts';
import { property } from '../../harness/property.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { START, startService, type TestService } from './harness/service.ts';

const service = madePerTest(() => startService({ rateLimits: true }));

const headersOf = async ({ management }: TestService, path = '/servers?limit=1', init: RequestInit = {}) => {
  const response = await fetch(`${management.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${management.apiKey}` },
    ...init,
  });
  await response.text();
  return response.headers;
};

/** The statuses of this many requests, one after another. */
async function ask(service: TestService, path: string, times: number): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let requests = 0; requests < times; requests += 1) statuses.push((await service.get(path)).status);
  return statuses;
}

const LIST = '/servers?limit=1&page=0';

describe('the list of devices, with rate limits', () => {
  it('answers 29 times in a minute, then with 429 for one minute', async () => {
    expect(await ask(service, LIST, 29)).toEqual(Array.from({ length: 29 }, () => 200));
    expect(await service.get(LIST)).toMatchObject({ status: 429, body: { errors: ['Too Many Requests!'] } });
    await service.clock.advance(MINUTE - 1);
    expect(await ask(service, LIST, 2)).toEqual([429, 429]);
    await service.clock.advance(1);
    expect(await ask(service, LIST, 29)).not.toContain(429);
  });

  it('does not say how long to wait', async () => {
    await ask(service, LIST, 29);
    const headers = await headersOf(service);
    expect(headers.get('retry-after')).toBeNull();
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('counts requests by the minute that has just passed, not by minutes of the day', async () => {
    await ask(service, LIST, 20);
    await service.clock.advance(40 * SECOND);
    expect(await ask(service, LIST, 9)).not.toContain(429);
    await service.clock.advance(20 * SECOND);
    expect(await ask(service, LIST, 20)).not.toContain(429);
    expect(await ask(service, LIST, 1)).toEqual([429]);
  });

  it('leaves single devices and other lists alone while it refuses', async () => {
    await ask(service, LIST, 30);
    expect((await service.get('/servers/?limit=1')).status).toBe(429);
    const others = ['/servers/4001', '/servers/4001/queues', '/servergroups', '/events?limit=1'];
    for (const path of others) expect((await service.get(path)).status).toBe(200);
  });

  it('is open again after a reset', async () => {
    await ask(service, LIST, 30);
    service.management.reset();
    expect(await ask(service, LIST, 1)).toEqual([200]);
  });

  it('refuses nothing where the limits are off', async () => {
    const service = await startService();
    expect(await ask(service, LIST, 31)).not.toContain(429);
  });
});

describe('all requests together', () => {
  it('are refused from the 101st in a second, whatever the key', async () => {
    expect(await ask(service, '/servers/4001/queues', 100)).not.toContain(429);
    expect((await service.raw('/events')).status).toBe(429);
    await service.clock.advance(SECOND);
    expect((await service.raw('/events')).status).toBe(401);
  });

  it('are counted in the headers of each answer, as recorded, with the limits off too', async () => {
    const service = await startService();
    const first = await headersOf(service);
    await service.clock.advance(400);
    const second = await headersOf(service, '/nowhere');
    await service.clock.advance(600);
    const third = await headersOf(service, '/servers', { headers: {} });
    const start = START / SECOND;
    expect([first, second, third].map(counted)).toEqual([
      ['100', '99', String(start + 1)],
      ['100', '98', String(start + 1)],
      ['100', '99', String(start + 2)],
    ]);
  });

  it('are not counted in headers by the documented service, which refuses all the same', async () => {
    const service = await startService({ profile: 'documented', rateLimits: true });
    expect(counted(await headersOf(service))).toEqual([null, null, null]);
    expect((await ask(service, LIST, 30)).at(-1)).toBe(429);
  });

  const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 3_000 }), list: fc.boolean() }), {
    maxLength: 200,
  });
  property([steps])('never pass more often than the two limits allow', (asked) => {
    let now = 0;
    const limits = createManagementRateLimits({ now: () => later(START, now) });
    const passed: number[] = [];
    for (const { wait, list } of asked) {
      now += wait;
      const { refused, window } = limits.count('GET', list ? '/servers' : '/servers/1');
      expect(window.remaining).toBeGreaterThanOrEqual(0);
      if (list && !refused) passed.push(now);
    }
    for (const at of passed) {
      expect(passed.filter((other) => other >= at && other < at + MINUTE).length).toBeLessThan(30);
    }
  });
});

function counted(headers: Headers) {
  return ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
}

describe('the id of a request', () => {
  it('is on every answer, another one each time, and the same ones at every start', async () => {
    const ids = async () => {
      const service = await startService();
      const asked = [
        await headersOf(service),
        await headersOf(service, '/nowhere'),
        await headersOf(service, '/servers', { headers: {} }),
        await headersOf(service, '/servergroups', { method: 'PATCH' }),
      ];
      return asked.map((headers) => headers.get('x-request-id'));
    };
    const [first, second] = [await ids(), await ids()];
    expect(first.every((id) => /^[0-9a-f]{32}$/.test(id ?? ''))).toBe(true);
    expect(new Set(first).size).toBe(4);
    expect(second).toEqual(first);
  });
});

describe('an answer of the service', () => {
  it('states the time of the sandbox’s clock, as its events and its rate limit do', async () => {
    const { management, clock } = await startService();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    await clock.advance(31 * MINUTE);
    const response = await fetch(`${management.baseUrl}/servers?limit=1`, { headers });
    await response.text();
    expect(response.headers.get('date')).toBe('Tue, 10 Mar 2026 12:31:00 GMT');
  });
});
