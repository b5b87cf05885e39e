/** The product, which says at a port of its own which of its files had a function called since it was last asked. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { runProduct } from '../../src/sandbox/process/run-product.ts';
import { portFile } from './coverage-port.ts';

const SOURCE = /\/src\/(?!sandbox\/)(.+)$/;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function filesCalled(): Promise<readonly string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result.flatMap(({ url, functions }) => {
    // What begins at 0 is the module itself.
    const isCalled = functions.some(
      ({ ranges: [whole] }) => whole && whole.startOffset > 0 && whole.count > 0,
    );
    return isCalled ? (SOURCE.exec(url)?.slice(1) ?? []) : [];
  });
}

const server = createServer(async (_request, response) => {
  response.end(JSON.stringify(await filesCalled()));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // of a port, not a pipe
  writeFileSync(portFile(process.ppid), String(port));
});

await runProduct();
