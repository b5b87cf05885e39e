import { describe, expect, onTestFinished, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';

describe('a service that shares its address', () => {
  async function serveBelow(root: string) {
    const wire = createWire({ clock: createManualClock(instant(1_800_000_000_000)) });
    const server = await wire.serve({
      service: 'management',
      fetch: ({ url }) => Response.json({ below: new URL(url).pathname + new URL(url).search }),
      mount: { root, beside: ({ url }) => Response.json({ beside: new URL(url).pathname }) },
    });
    onTestFinished(server.stop);
    return { wire, url: server.url };
  }

  test.each([
    ['/api', { below: '/' }],
    ['/api?o=1', { below: '/?o=1' }],
    ['/api/', { below: '/' }],
    ['/api/servers?o=1', { below: '/servers?o=1' }],
    ['/api/api/servers', { below: '/api/servers' }],
    ['/apis', { beside: '/apis' }],
    ['/', { beside: '/' }],
    ['/sandbox/state?of=/api/', { beside: '/sandbox/state' }],
  ])('gets only requests below its root: %s', async (path, answer) => {
    const { url } = await serveBelow('/api');
    expect(await (await fetch(`${url}${path}`)).json()).toEqual(answer);
  });

  test('has journal and faults for its own requests only, by its own paths', async () => {
    const { wire, url } = await serveBelow('/api');
    wire.inject({ service: 'management', match: 'GET /', kind: 'status', status: 500 });
    wire.inject({ service: 'management', match: '/api', kind: 'cut' });
    expect((await fetch(`${url}/sandbox/state`)).status).toBe(200);
    expect((await fetch(`${url}/api/servers`)).status).toBe(500);
    expect(wire.journal().map(({ path, status }) => [path, status])).toEqual([['/servers', 500]]);
  });
});
