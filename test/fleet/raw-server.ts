/** A server of bare sockets on 127.0.0.1, for answers that are no proper HTTP. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Answers the request number `index` of all connections together. */
export type RawReply = (socket: Socket, index: number) => void;

export type RawServer = {
  readonly url: string;
  /** First lines of the requests. */
  readonly requests: readonly string[];
  readonly connections: () => number;
};

/** Calls `reply` after every request that has come whole; it ends with the test. */
export async function rawServer(reply: RawReply): Promise<RawServer> {
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
export function httpOf(
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
