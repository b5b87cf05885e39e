import { listenOnLoopback } from '../../src/sandbox/wire/listen.ts';

export async function freePort(): Promise<number> {
  const { port, stop } = await listenOnLoopback(() => undefined);
  await stop();
  return port;
}
