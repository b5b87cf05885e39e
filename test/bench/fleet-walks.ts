/**
 * Reading a large fleet: the product's client beside undici and `JSON.parse` on the same pages. The service and both
 * clients are processes of their own; rate limits are off.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Figure, figure, lowerQuartile, median } from './figure.ts';
import { startLocalService } from './local-service.ts';
import type { Walk, WalkOrder, WalkResult } from './walker.ts';

const WALKER = fileURLToPath(new URL('walker.ts', import.meta.url));
const ROWS = 100_000;
const WALKS = 7;
const MEMORY_WALKS = 3;
/** So many reads follow each other before it is the other one's turn, and so many turns count. */
const READS = 100;
const TURNS = 15;
/** The first one of the seed. */
const ANY_DEVICE = 4_001;
const AGAINST = 'undici and JSON.parse';

type Client = { readonly take: (order: WalkOrder) => Promise<WalkResult>; readonly stop: () => void };

export async function fleetWalks(): Promise<readonly Figure[]> {
  const service = await startLocalService({ devices: ROWS });
  try {
    return await compare(await client('ours', service.env), await client('bare', service.env));
  } finally {
    await service.stop();
  }
}

async function compare(ours: Client, bare: Client): Promise<readonly Figure[]> {
  try {
    return [
      ...(await walks(ours, bare, 'devices')),
      ...(await walks(ours, bare, 'events')),
      await reads(ours, bare),
    ];
  } finally {
    ours.stop();
    bare.stop();
  }
}

/** The first walk of each warms up and does not count. */
async function walks(ours: Client, bare: Client, walk: Walk): Promise<readonly Figure[]> {
  const take = async (rounds: number, collecting: boolean) => {
    const taken: [WalkResult, WalkResult][] = [];
    for (let round = 0; round < rounds; round += 1) {
      taken.push([await whole(ours, walk, collecting), await whole(bare, walk, collecting)]);
    }
    return taken;
  };
  const timed = (await take(1 + WALKS, false)).slice(1);
  const weighed = await take(MEMORY_WALKS, true);
  const of = (side: 0 | 1, part: 'ms' | 'stallMs' | 'growthMiB') =>
    median((part === 'growthMiB' ? weighed : timed).map((pair) => pair[side][part]));
  const compared = (name: string, unit: Figure['unit'], part: 'ms' | 'stallMs' | 'growthMiB') =>
    figure({ name, unit, ours: of(0, part), baseline: of(1, part), against: AGAINST });
  const rows = ROWS.toLocaleString('en');
  return [
    compared(`listing ${rows} ${walk}`, 'ms', 'ms'),
    compared(`most memory held while listing ${rows} ${walk}`, 'MiB', 'growthMiB'),
    compared(`longest stall while listing ${rows} ${walk}`, 'ms', 'stallMs'),
  ];
}

async function whole(client: Client, walk: Walk, collecting: boolean): Promise<WalkResult> {
  const result = await client.take({ walk, rows: ROWS, collecting });
  if (result.rows !== ROWS) throw new Error(`${result.rows} of ${ROWS} ${walk} were listed`);
  return result;
}

async function reads(ours: Client, bare: Client): Promise<Figure> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  const order = { read: ANY_DEVICE, times: READS };
  for (let turn = 0; turn < TURNS * 2; turn += 1) {
    times.ours.push((await ours.take(order)).ms / READS);
    times.bare.push((await bare.take(order)).ms / READS);
  }
  return figure({
    name: 'one device read',
    unit: 'ms',
    ours: lowerQuartile(times.ours.slice(TURNS)),
    baseline: lowerQuartile(times.bare.slice(TURNS)),
    against: AGAINST,
  });
}

async function client(kind: 'ours' | 'bare', env: Readonly<Record<string, string>>): Promise<Client> {
  const child = fork(WALKER, [kind], { env: { ...process.env, ...env }, execArgv: ['--expose-gc'] });
  await once(child, 'message');
  return {
    async take(order) {
      const answer = once(child, 'message');
      child.send(order);
      const [result] = await answer;
      return result;
    },
    stop: () => void child.kill(),
  };
}
