/** An HTTP server on 127.0.0.1 that stops at once, whatever is still connected. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Served } from '../contracts/services.ts';

/** Starts listening on 127.0.0.1 only; rejects with the system's error, such as EADDRINUSE. */
export async function listenOnLoopback(prepare: (server: Server) => void, port = 0): Promise<Served> {
  const server = createServer();
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  prepare(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A TCP server's address is an object; only servers on a pipe return a string.
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actual}`,
    port: actual,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // closeAllConnections() does not close upgraded sockets, because the server no longer owns them.
        for (const socket of sockets) socket.destroy();
      }),
  };
}
