import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  const { port, stop } = await listenOnLoopback(() => undefined);
  await stop();
  return port;
}
