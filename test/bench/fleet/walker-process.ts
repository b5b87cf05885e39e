/**
 * A process that walks the lists of a management service on request: with the product's client (`ours`), or with
 * undici and `JSON.parse` alone (`bare`). It reports how long each walk took, the longest stall of the event loop,
 * and by how much the process grew.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent } from 'undici';
import { createFleetClient } from '../../../src/fleet/client.ts';
import { deviceId, organizationId } from '../../../src/lib/ids.ts';
import { secret } from '../../../src/lib/log.ts';

export type BenchWalk = 'devices' | 'events';
export type WalkOrder =
  | { readonly walk: BenchWalk; readonly rows: number }
  | { readonly read: number; readonly times: number };
export type WalkResult = {
  readonly ms: number;
  /** Longest time in which nothing else could run. */
  readonly stallMs: number;
  /** The most memory that the process ever had beyond its start. Meaningful only for its first request. */
  readonly growthMiB: number;
  readonly rows: number;
};

type Walker = {
  readonly walk: (walk: BenchWalk, wanted: number) => Promise<number>;
  readonly read: (id: number) => Promise<void>;
};

const { FLEET_BASE_URL = '', FLEET_API_KEY = '', FLEET_ORGANIZATION = '' } = process.env;
const LIMIT = 500;
const MIB = 1_048_576;

function ours(): Walker {
  const { reader } = createFleetClient({
    baseUrl: FLEET_BASE_URL,
    apiKey: secret(FLEET_API_KEY),
    organizationId: organizationId(Number(FLEET_ORGANIZATION)),
    limits: 'off',
  });
  return {
    async walk(walk, wanted) {
      let rows = 0;
      for await (const page of walk === 'devices' ? reader.devices() : reader.events()) {
        rows += page.rows.length;
        if (rows >= wanted) break;
      }
      return rows;
    },
    async read(id) {
      await reader.device(deviceId(id), { lane: 'person' });
    },
  };
}

function bare(): Walker {
  const agent = new Agent({ allowH2: false });
  const { origin, pathname } = new URL(FLEET_BASE_URL);
  const headers = {
    authorization: `Bearer ${FLEET_API_KEY}`,
    accept: 'application/json',
    'accept-encoding': 'gzip',
  };
  const get = async (path: string): Promise<unknown> => {
    const { body } = await agent.request({ origin, path: `${pathname}${path}`, method: 'GET', headers });
    return JSON.parse(await body.text());
  };
  return {
    async walk(walk, wanted) {
      let rows = 0;
      const list = walk === 'devices' ? '/servers' : '/events';
      for (let page = 0; rows < wanted; page += 1) {
        const sent = await get(`${list}?o=${FLEET_ORGANIZATION}&limit=${LIMIT}&page=${page}`);
        if (!Array.isArray(sent) || sent.length === 0) break;
        rows += sent.length;
      }
      return rows;
    },
    async read(id) {
      await get(`/servers/${id}?o=${FLEET_ORGANIZATION}`);
    },
  };
}

async function measure(walker: Walker, order: WalkOrder): Promise<WalkResult> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  let rows = 0;
  if ('walk' in order) rows = await walker.walk(order.walk, order.rows);
  else for (; rows < order.times; rows += 1) await walker.read(order.read);
  const ms = performance.now() - begun;
  delay.disable();
  // The system's own high-water mark, in KiB: samples from inside would miss what is between them.
  const most = process.resourceUsage().maxRSS * 1_024;
  return { ms, stallMs: delay.max / 1e6, growthMiB: (most - before) / MIB, rows };
}

const walker = process.argv[2] === 'ours' ? ours() : bare();
process.on('message', (order: WalkOrder) => {
  void measure(walker, order).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
