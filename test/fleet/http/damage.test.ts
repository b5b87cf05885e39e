/** Damage on the wire: what happens to a read, and whether a write may have happened. */

import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, errorOf, fleetAt, ORGANIZATION } from '../harness.ts';

/** Answers the request number `index` of all connections together. */
type RawReply = (socket: Socket, index: number) => void;

type RawServer = {
  readonly url: string;
  /** First lines of the requests. */
  readonly requests: readonly string[];
  readonly connections: () => number;
};

/** Calls `reply` after every request that has come whole; it ends with the test. */
async function rawServer(reply: RawReply): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    // A client that drops the connection in the middle is what many of these tests are about.
    socket.on('error', () => {});
    let come = '';
    socket.on('data', (chunk) => {
      come += chunk.toString('latin1');
      for (let end = endOf(come); end !== null; end = endOf(come)) {
        const index = requests.push(come.slice(0, come.indexOf('\r\n'))) - 1;
        come = come.slice(end);
        reply(socket, index);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  onTestFinished(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${address.port}`, requests, connections: () => connections };
}

/** Where the first complete request in `text` ends, its body included; null when none is complete. */
function endOf(text: string): number | null {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : null;
}

/** A whole response; `length` may be wrong about the body. */
function httpOf(
  body: string | Buffer,
  more: { status?: number; length?: number; headers?: string } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const { status = 200, length = bytes.byteLength, headers = '' } = more;
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} Any\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${headers}\r\n`,
    ),
    bytes,
  ]);
}

const ROW = JSON.stringify(listedDevice(DEVICE, { organization_id: ORGANIZATION }));
const GOOD = httpOf(ROW);
const HALF = ROW.slice(0, 200);
const GZIP = 'content-encoding: gzip\r\n';
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

type Damage = (socket: Socket) => void;
const write =
  (...parts: readonly (string | Buffer)[]): Damage =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };
const zipped = (bytes: Buffer) => write(httpOf(bytes, { headers: GZIP }));
const thenReset =
  (part: string | Buffer): Damage =>
  (socket) =>
    void socket.write(part, () => socket.resetAndDestroy());
const thenEnd =
  (part: string | Buffer): Damage =>
  (socket) =>
    void socket.end(part);
/** Writes until the client closes the connection. */
const endless =
  (head: string, part: string): Damage =>
  (socket) => {
    socket.write(head);
    const more = () => {
      while (!socket.destroyed && socket.write(part));
      if (!socket.destroyed) socket.once('drain', more);
    };
    more();
  };
function brokenInside(bytes: Buffer): Buffer {
  const broken = Buffer.from(bytes);
  broken.fill(0xff, broken.length / 2, broken.length / 2 + 20);
  return broken;
}

/** Only responses that never end wait for their deadline. */
const deadlineFor = (kind: string) => (kind === 'timeout' ? 300 : 20_000);

async function damaged(reply: RawReply, kind = '') {
  const service = await rawServer(reply);
  const options = { deadlineMs: deadlineFor(kind), maxResponseBytes: 200_000 };
  return { ...fleetAt(service.url, options), service };
}

describe.each<[string, Damage, string, string]>([
  ['an answer cut inside its body', thenEnd(httpOf(HALF, { length: ROW.length })), 'unreadable', 'again'],
  ['an answer cut inside a chunk', thenEnd(`${CHUNKED}fff\r\n${HALF}`), 'unreadable', 'again'],
  ['an answer without its last chunk', thenEnd(`${CHUNKED}c8\r\n${HALF}\r\n`), 'unreadable', 'again'],
  ['a reset before the answer', (socket) => socket.resetAndDestroy(), 'unreachable', 'again'],
  ['a reset inside the headers', thenReset(`${OK}content-ty`), 'unreachable', 'again'],
  ['a reset inside the body', thenReset(httpOf(HALF, { length: ROW.length })), 'unreadable', 'again'],
  ['a length above what comes', write(httpOf(HALF, { length: ROW.length })), 'timeout', 'once'],
  ['a length below what comes', write(httpOf(ROW, { length: 20 })), 'unreadable', 'once'],
  ['a length that is no number', write(`${OK}content-length: x\r\n\r\n{}`), 'unreadable', 'once'],
  ['two lengths', write(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`), 'unreadable', 'once'],
  ['bytes twice', write(httpOf(ROW + ROW)), 'unreadable', 'once'],
  ['bytes in another order', write(httpOf(ROW.slice(100) + ROW.slice(0, 100))), 'unreadable', 'once'],
  ['gzip broken in the middle', zipped(brokenInside(gzipSync(ROW))), 'unreadable', 'once'],
  ['gzip cut short', zipped(gzipSync(ROW).subarray(0, 90)), 'unreadable', 'once'],
  ['a gzip bomb', zipped(gzipSync(Buffer.alloc(60_000_000, 0x20))), 'too-large', 'once'],
  ['a body that never ends', endless(`${OK}\r\n`, 'x'.repeat(10_000)), 'too-large', 'once'],
  ['headers that never end', endless(OK, `a: ${'x'.repeat(1_000)}\r\n`), 'unreadable', 'once'],
  ['a page with a good status', write(httpOf('<html><title>Sign in</title>')), 'unreadable', 'once'],
  ['no HTTP at all', write('SSH-2.0-OpenSSH_9.6\r\n'), 'unreadable', 'once'],
  ['a page of a gateway', write(httpOf('<html><title>502</title>', { status: 502 })), 'broken', 'again'],
])('%s', (_, damage, kind, repeated) => {
  it(`makes a read ${kind}`, async () => {
    const { reader, service } = await damaged(damage, kind);
    expect(await errorOf(reader.device(DEVICE))).toMatchObject({ kind, path: '/servers/{id}' });
    expect(service.requests).toHaveLength(repeated === 'again' ? 3 : 1);
  });

  it('leaves a write unknown, and sent once', async () => {
    const { writer, service } = await damaged(damage, kind);
    expect(await writer.issue(DEVICE, { kind: 'scan' })).toMatchObject({ kind: 'unknown', error: { kind } });
    expect(service.requests).toHaveLength(1);
  });

  it(`is ${repeated === 'again' ? 'made good by asking again' : 'not asked about again'}`, async () => {
    const { reader, service } = await damaged((socket, index) => {
      if (index === 0) damage(socket);
      else socket.write(GOOD);
    }, kind);
    const row = await reader.device(DEVICE).catch(() => null);
    expect(row?.id).toBe(repeated === 'again' ? DEVICE : undefined);
    // Whatever it was, the next read works.
    expect(await reader.device(DEVICE)).toMatchObject({ id: DEVICE });
    expect(service.requests).toHaveLength(repeated === 'again' ? 3 : 2);
  });
});

describe('an answer that is unusual on the wire but complete', () => {
  it.each<[string, Damage]>([
    [
      'byte by byte',
      (socket) => {
        const bytes = [...GOOD];
        const next = () => {
          const byte = bytes.shift();
          if (byte === undefined) return;
          socket.write(Buffer.of(byte), () => setImmediate(next));
        };
        socket.setNoDelay(true);
        next();
      },
    ],
    ['in chunks of one byte', write(CHUNKED, ...Array.from(ROW, (byte) => `1\r\n${byte}\r\n`), '0\r\n\r\n')],
    ['without a length, to the end of the connection', thenEnd(`${OK}\r\n${ROW}`)],
    ['after notes in advance', write('HTTP/1.1 103 Early\r\nlink: x\r\n\r\n', GOOD)],
  ])('is read: %s', async (_, reply) => {
    const { reader, service } = await damaged(reply);
    expect(await reader.device(DEVICE)).toMatchObject({ id: DEVICE });
    expect(service.requests).toHaveLength(1);
  });

  it('is not taken for the next answer when it comes twice', async () => {
    const { reader } = await damaged((socket, index) => {
      socket.write(index === 0 ? Buffer.concat([GOOD, httpOf('{"id":1}')]) : GOOD);
    });
    expect(await reader.device(DEVICE)).toMatchObject({ id: DEVICE });
    expect(await reader.device(DEVICE)).toMatchObject({ id: DEVICE });
  });
});

describe('a kept connection', () => {
  it.each<[string, Damage]>([
    ['ended', thenEnd(GOOD)],
    ['reset', thenReset(GOOD)],
    [
      'closed when the next request comes',
      (socket) => {
        socket.write(GOOD);
        socket.once('data', () => socket.destroy());
      },
    ],
  ])('that is %s by the service between two reads does no harm', async (_, reply) => {
    const { reader, service } = await damaged(reply);
    for (let reads = 0; reads < 3; reads += 1)
      expect(await reader.device(DEVICE)).toMatchObject({ id: DEVICE });
    expect(service.connections()).toBeGreaterThan(1);
  });
});

describe('a write', () => {
  it('that the service refused is refused, even where the rest of its answer is lost', async () => {
    const { writer } = await damaged(thenReset(httpOf('{"err', { status: 403, length: 900 })));
    expect(await writer.issue(DEVICE, { kind: 'scan' })).toMatchObject({
      kind: 'refused',
      error: { kind: 'forbidden' },
    });
  });

  it('that found nobody was not sent', async () => {
    const { url } = await rawServer(() => {});
    const { writer } = fleetAt(url.replace(/\d+$/, '1'));
    expect(await writer.issue(DEVICE, { kind: 'scan' })).toMatchObject({
      kind: 'unsent',
      error: { kind: 'unreachable' },
    });
  });

  it('that is never answered is unknown at its deadline', async () => {
    const { writer } = await damaged(() => {}, 'timeout');
    expect(await writer.issue(DEVICE, { kind: 'scan' })).toMatchObject({
      kind: 'unknown',
      error: { kind: 'timeout' },
    });
  });
});
