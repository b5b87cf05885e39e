/** The management service as other programs use it: alone, over HTTP, at the printed address. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fault } from '../../../src/sandbox/contracts/services.ts';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { createClient } from '../../harness/client.ts';

const README = readFileSync(new URL('../../../src/sandbox/README.md', import.meta.url), 'utf8');
const CURLS = README.split('\n').filter((line) => line.startsWith('curl '));

/** Stops with the test. */
async function start(options: SandboxOptions = {}) {
  const { address, management, stop } = await createSandbox({ only: 'management', devices: 40, ...options });
  onTestFinished(stop);
  const ask = (path: string, init: RequestInit = {}, key = management.apiKey) =>
    fetch(`${management.baseUrl}${path}${path.includes('?') ? '&' : '?'}o=${management.organizationId}`, {
      headers: { authorization: `Bearer ${key}` },
      ...init,
    });
  const fault = (fault: Omit<Fault, 'service'>) => client.fault({ service: 'management', ...fault });
  const client = createClient(address);
  return { address, management, client, ask, fault };
}

const REBOOT = { method: 'POST', body: '{"command_type_name":"Reboot"}' };

describe('the page about the sandbox', () => {
  test('shows how the service and each of its controls are asked', () => {
    const asked = CURLS.map((line) => new URL(line.match(/http:[^\s']+/)?.[0] ?? '').pathname);
    expect(asked).toEqual(
      expect.arrayContaining(['/api/servers', ...['world', 'fault', 'clock', 'journal', 'reset'].map(of)]),
    );
  });

  test.each(CURLS)('%s', async (line) => {
    const { address } = await start();
    const asked = line
      .replace('http://127.0.0.1:4000', address)
      .replace('curl ', "curl -sS -w '\\n%{http_code}' ");
    const { stdout } = await promisify(execFile)('sh', ['-c', asked]);
    const [status, ...body] = stdout.split('\n').reverse();
    // A create returns no body.
    if (line.includes('command_type_name')) return expect([status, body.join('')]).toEqual(['201', '']);
    expect(status).toBe('200');
    expect(JSON.parse(body.reverse().join('\n'))).toBeTypeOf('object');
  });
});

function of(control: string): string {
  return `/sandbox/${control}`;
}

describe('one address', () => {
  test('has the service below /api and the control interface below /sandbox', async () => {
    const { address, management, client, ask } = await start();
    expect(management.baseUrl).toBe(`${address}/api`);
    expect((await ask('/servers?limit=1&page=0')).status).toBe(200);
    expect((await client.state()).management.baseUrl).toBe(management.baseUrl);
    expect((await fetch(`${address}/servers`)).status).toBe(404);
  });

  test('keeps the control interface out of the journal and for programs on this machine', async () => {
    const { address, client, ask } = await start();
    await ask('/servers/4001');
    await ask('/servers/4001/queues', REBOOT);
    await client.state();
    const foreign = await fetch(`${address}/sandbox/state`, {
      headers: { origin: 'http://elsewhere.example' },
    });
    expect(foreign.status).toBe(403);
    expect((await client.journal()).map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/servers/4001', 200],
      ['POST', '/servers/4001/queues', 201],
    ]);
  });

  test('counts the rate limits on the time that the control interface moves', async () => {
    const { client, ask } = await start({ rateLimits: true });
    const list = async () => (await ask('/servers?limit=1')).status;
    for (let asked = 0; asked < 29; asked += 1) await list();
    expect(await list()).toBe(429);
    await client.advance('1m');
    expect(await list()).toBe(200);
  });

  test('tells its port to be taken like the whole sandbox does', async () => {
    const { address } = await start();
    const port = Number(new URL(address).port);
    await expect(createSandbox({ only: 'management', devices: 20, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('a fault at the service', () => {
  type Alone = Awaited<ReturnType<typeof start>>;
  const REAL: readonly (readonly [status: number, meet: (alone: Alone) => Promise<Response>])[] = [
    [401, ({ ask, management }) => ask('/servers', {}, management.expiredKey)],
    [403, ({ ask, management }) => ask('/servers/4001/queues', REBOOT, management.readOnlyKey)],
    [404, ({ ask }) => ask('/nowhere')],
    [405, ({ ask }) => ask('/events', REBOOT)],
    [413, ({ ask }) => ask('/servers/4001/queues', { ...REBOOT, body: 'x'.repeat(100_000) })],
    [
      429,
      async ({ ask }) => {
        for (let asked = 0; asked < 29; asked += 1) await ask('/servers?limit=1');
        return ask('/servers?limit=1');
      },
    ],
  ];

  test.each(REAL)('of status %i has the words of the service itself', async (status, meet) => {
    const alone = await start({ rateLimits: true });
    const real = await meet(alone);
    await alone.fault({ match: 'GET /servers/4001', kind: 'status', status, times: 1 });
    const faked = await alone.ask('/servers/4001');
    expect([real.status, faked.status]).toEqual([status, status]);
    expect(await faked.json()).toEqual(await real.json());
  });

  test.each([204, 304])('of status %i has no body, like every answer of that status', async (status) => {
    const { ask, fault } = await start();
    await fault({ match: 'GET /servers', kind: 'status', status, times: 1 });
    const answer = await ask('/servers');
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  });
});
