/** A proxy to a real server that can fall silent: connections stay open, and nothing passes any more. */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>;

export async function startTcpProxy(target: NetConnectOpts) {
  const sockets = new Set<Socket>();
  let silent = false;
  let taken = 0;
  const note = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const forward = (from: Socket, to: Socket): void => {
    from.pipe(to);
    from.once('close', () => to.destroy());
    if (silent) from.pause();
  };
  const server = createServer((near) => {
    taken += 1;
    note(near);
    const far = note(connect(target));
    forward(near, far);
    forward(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    port: address.port,
    /** Connections accepted so far. */
    taken: () => taken,
    /** Nothing is forwarded any more in either direction; connections are still accepted. */
    silence(): void {
      silent = true;
      for (const socket of sockets) socket.pause();
    },
    /** Forwards again, with everything that was held. */
    resume(): void {
      silent = false;
      for (const socket of sockets) socket.resume();
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The proxy to the PostgreSQL at `url`, and the address through it. */
export async function startPostgresProxy(url: string): Promise<TcpProxy & { readonly url: string }> {
  const parsed = new URL(url);
  const folder = parsed.searchParams.get('host');
  const target =
    folder === null
      ? { host: parsed.hostname, port: Number(parsed.port || 5432) }
      : { path: `${folder}/.s.PGSQL.5432` };
  const proxy = await startTcpProxy(target);
  parsed.searchParams.delete('host');
  parsed.hostname = '127.0.0.1';
  parsed.port = `${proxy.port}`;
  return { ...proxy, url: parsed.href };
}
