import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import type { Served } from '../../../src/sandbox/contracts/services.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';

const served: Served[] = [];
afterEach(async () => {
  await Promise.all(served.splice(0).map((server) => server.stop()));
});

async function start() {
  const wire = createWire({ clock: createManualClock(instant(1_800_000_000_000)) });
  const server = await wire.serve({
    service: 'slack',
    fetch: () => Response.json({ ok: true }),
    upgrade: (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  });
  served.push(server);
  return { wire, ...server };
}

function statusOf(port: number, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/api/auth.test', method: 'POST', headers });
    asked.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    asked.end();
  });
}

describe('a service of the sandbox', () => {
  test.each(['evil.example', '127.0.0.1.evil.example', '0.0.0.0:3000', 'localhost.evil'])(
    'does nothing for a request to the name %s',
    async (host) => {
      const { wire, port } = await start();
      expect(await statusOf(port, { host })).toBe(403);
      expect(wire.journal()).toEqual([]);
    },
  );

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1'])(
    'does nothing for a page of %s',
    async (origin) => {
      const { wire, port } = await start();
      expect(await statusOf(port, { origin })).toBe(403);
      expect(wire.journal()).toEqual([]);
    },
  );

  test('answers programs of this machine', async () => {
    const { port } = await start();
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, '127.0.0.1'])
      expect(await statusOf(port, { host })).toBe(200);
  });

  test('opens no WebSocket for a foreign page', async () => {
    const { wire, port } = await start();
    const socket = connect(port, '127.0.0.1');
    const head = 'GET /link HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n';
    socket.write(`${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    let heard = '';
    for await (const chunk of socket) heard += chunk;
    expect(heard).toBe('');
    expect(wire.journal()).toEqual([]);
  });
});
