import { afterEach, describe, expect, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import type { Served, ServiceName } from '../../../src/sandbox/contracts/services.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';

const wire = createWire({ clock: createManualClock(instant(1_800_000_000_000)) });
const served: Served[] = [];

afterEach(async () => {
  wire.reset();
  await Promise.all(served.splice(0).map((server) => server.stop()));
});

async function serve(service: ServiceName, fetch: (request: Request) => Response | Promise<Response>) {
  const server = await wire.serve({ service, fetch });
  served.push(server);
  return server.url;
}

describe('a fault', () => {
  test('that answers otherwise lets the work happen and sends its own status and body', async () => {
    const worked: string[] = [];
    const url = await serve('slack', async (request) => {
      worked.push(await request.text());
      return Response.json({ ok: true });
    });
    const body = { ok: false, error: 'fatal_error' };
    const fault = {
      service: 'slack',
      match: 'POST /api/chat.postMessage',
      kind: 'answer',
      times: 1,
    } as const;
    const ask = () => fetch(`${url}/api/chat.postMessage`, { method: 'POST', body: 'text' });
    wire.inject({ ...fault, body });
    const answer = await ask();
    expect([answer.status, await answer.json()]).toEqual([200, body]);
    wire.inject({ ...fault, status: 503 });
    const bare = await ask();
    expect([bare.status, await bare.json()]).toEqual([503, null]);
    expect(worked).toEqual(['text', 'text']);
  });

  test.each([
    ['an array', [1, 2, 3], [1, 2]],
    ['rows beside a total', { size: 3, results: [1, 2, 3] }, { size: 3, results: [1, 2] }],
    ['a single thing', { id: 1, tags: [1, 2, 3] }, { id: 1, tags: [1, 2, 3] }],
  ])('that shortens a list cuts the rows of %s', async (_name, whole, cut) => {
    const url = await serve('management', () => Response.json(whole));
    wire.inject({ service: 'management', match: 'GET /servers', kind: 'list', take: 2 });
    expect(await (await fetch(`${url}/servers`)).json()).toEqual(cut);
  });

  test('that repeats a page asks the service for it, whatever page was asked for', async () => {
    const url = await serve('management', (request) => Response.json([new URL(request.url).search]));
    wire.inject({ service: 'management', match: 'GET /servers', kind: 'list', page: 0 });
    expect(await (await fetch(`${url}/servers?o=1&page=3`)).json()).toEqual(['?o=1&page=0']);
  });
});
