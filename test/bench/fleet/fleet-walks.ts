/**
 * Reading a large fleet: the product's client beside undici and `JSON.parse` on the same pages. The service and both
 * clients are processes of their own; rate limits are off.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Figure, figure, lowerQuartile, median } from '../report/figure.ts';
import { startLocalService } from './local-service.ts';
import type { BenchWalk, WalkOrder, WalkResult } from './walker-process.ts';

const WALKER = fileURLToPath(new URL('walker-process.ts', import.meta.url));
const ROWS = 100_000;
const WALKS = 7;
/** Each in a separate process, because one that has walked before has already grown. */
const MEMORY_WALKS = 5;
/** This many reads follow each other before the other side's turn, and this many turns count. */
const READS = 100;
const TURNS = 15;
/** The first device of the seed. */
const ANY_DEVICE = 4_001;
const BASELINE_NAME = 'undici and JSON.parse';

type Env = Readonly<Record<string, string>>;
/** Results of both, measured one after the other. */
type Clients = { readonly ours: WalkResult; readonly bare: WalkResult };
type Client = { readonly take: (order: WalkOrder) => Promise<WalkResult>; readonly stop: () => void };

export async function fleetWalks(): Promise<readonly Figure[]> {
  const service = await startLocalService({ devices: ROWS });
  try {
    return await compare(service.env);
  } finally {
    await service.stop();
  }
}

async function compare(env: Env): Promise<readonly Figure[]> {
  const ours = await client('ours', env);
  const bare = await client('bare', env);
  try {
    const timed = {
      devices: await timedWalks(ours, bare, 'devices'),
      events: await timedWalks(ours, bare, 'events'),
    };
    const oneRead = await reads(ours, bare);
    return [
      ...walkFigures('devices', timed.devices, await firstWalks(env, 'devices')),
      ...walkFigures('events', timed.events, await firstWalks(env, 'events')),
      oneRead,
    ];
  } finally {
    ours.stop();
    bare.stop();
  }
}

/** The first walk of each warms up and does not count. */
async function timedWalks(ours: Client, bare: Client, walk: BenchWalk): Promise<readonly Clients[]> {
  const taken: Clients[] = [];
  for (let round = 0; round < 1 + WALKS; round += 1)
    taken.push({ ours: await whole(ours, walk), bare: await whole(bare, walk) });
  return taken.slice(1);
}

/** For the memory: the first walk's time is that of code that is still being compiled. */
async function firstWalks(env: Env, walk: BenchWalk): Promise<readonly Clients[]> {
  const first = async (kind: keyof Clients): Promise<WalkResult> => {
    const fresh = await client(kind, env);
    try {
      return await whole(fresh, walk);
    } finally {
      fresh.stop();
    }
  };
  const taken: Clients[] = [];
  for (let round = 0; round < MEMORY_WALKS; round += 1)
    taken.push({ ours: await first('ours'), bare: await first('bare') });
  return taken;
}

function walkFigures(
  walk: BenchWalk,
  timed: readonly Clients[],
  first: readonly Clients[],
): readonly Figure[] {
  const compared = (
    name: string,
    unit: Figure['unit'],
    pairs: readonly Clients[],
    part: 'ms' | 'stallMs' | 'growthMiB',
  ): Figure => {
    const of = (kind: keyof Clients) => median(pairs.map((pair) => pair[kind][part]));
    return figure({ name, unit, ours: of('ours'), baseline: of('bare'), against: BASELINE_NAME });
  };
  const rows = ROWS.toLocaleString('en');
  return [
    compared(`listing ${rows} ${walk}`, 'ms', timed, 'ms'),
    compared(`most memory taken while listing ${rows} ${walk}`, 'MiB', first, 'growthMiB'),
    compared(`longest stall while listing ${rows} ${walk}`, 'ms', timed, 'stallMs'),
  ];
}

async function whole(client: Client, walk: BenchWalk): Promise<WalkResult> {
  const result = await client.take({ walk, rows: ROWS });
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
    against: BASELINE_NAME,
  });
}

async function client(kind: keyof Clients, env: Env): Promise<Client> {
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
