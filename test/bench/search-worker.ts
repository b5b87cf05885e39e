/**
 * A process that searches a fleet of 100,000 in memory, with the index and with uFuzzy alone (`measure`), or takes
 * the index up from its file (`restart`). It says the figures to who forked it and ends.
 */
import { setImmediate } from 'node:timers/promises';
import { createManualClock } from '../../src/clock.ts';
import { organizationId } from '../../src/ids.ts';
import { createInventory } from '../../src/inventory/directory.ts';
import { openStore } from '../../src/store/open.ts';
import { BROKEN, createFakeFleet } from '../commands/fake-fleet.ts';
import { START } from '../harness/builders.ts';
import { bareSearch, readBare } from './search-bare.ts';
import { timeDispatch } from './search-dispatch.ts';
import { fleetPages } from './search-fleet.ts';
import { QUERIES } from './search-queries.ts';

export type Pair = { readonly ours: readonly number[]; readonly bare: readonly number[] };
export type SearchTold = {
  readonly search: Pair;
  readonly completion: Pair;
  readonly dispatch: Pair;
  /** MiB. */
  readonly heap: { readonly ours: number; readonly bare: number };
};
export type RestartTold = { readonly ours: number; readonly bare: number };

const ROWS = 100_000;
const ROUNDS = 15;
const WARM_UP = 5;
/** As many as Slack shows in a menu. */
const MENU = 100;
const ORGANIZATION = organizationId(7);

const [, , what = '', path = ''] = process.argv;
const told = what === 'restart' ? await restart() : await measure();
process.send?.(told, () => process.exit(0));

async function measure(): Promise<SearchTold> {
  const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
  const clock = createManualClock(START);
  const before = held();
  const inventory = createInventory({
    fleet: { ...createFakeFleet({ devices: [] }), devices: () => fleetPages(ROWS) },
    clock,
    store: store.inventory,
  });
  const { devices, search } = await inventory.snapshot({ refresh: true, lane: 'person' });
  await inventory.stop();
  const ours = held() - before;
  const bare = bareSearch(devices);
  const menu = (text: string) => inventory.suggest('device', text, MENU);
  const told = {
    heap: { ours, bare: held() - before - ours },
    search: inTurns((text) => search(text.split(' ')).devices.slice(0, MENU), bare),
    completion: inTurns(menu, (text) => bare(text).map((id) => ({ id, label: `${id}`, detail: `#${id}` }))),
    dispatch: await timeDispatch(inventory, bare),
  };
  await store.close();
  return told;
}

/** Each question of each in turn, so that whatever else the machine does meets both alike. Milliseconds. */
function inTurns(ours: (text: string) => unknown, bare: (text: string) => unknown): Pair {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const text of QUERIES) {
      const taken = { ours: time(() => ours(text)), bare: time(() => bare(text)) };
      if (round < WARM_UP) continue;
      times.ours.push(taken.ours);
      times.bare.push(taken.bare);
    }
  }
  return times;
}

function time(job: () => unknown): number {
  const begun = performance.now();
  job();
  return performance.now() - begun;
}

async function restart(): Promise<RestartTold> {
  const begun = performance.now();
  const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
  // A service that does not answer: everything comes from the file.
  const fleet = createFakeFleet({ devices: [] });
  fleet.failWith(BROKEN);
  const inventory = createInventory({
    fleet,
    clock: createManualClock(START),
    store: store.inventory,
  });
  await inventory.start();
  const found = inventory.suggest('device', 'ber-web', MENU).length;
  const ours = performance.now() - begun;
  if (found !== MENU) throw new Error(`${found} devices were found after a restart`);
  await inventory.stop();
  await store.close();
  await setImmediate();
  const bareBegun = performance.now();
  const rows = readBare(path);
  if (rows !== ROWS) throw new Error(`${rows} rows were kept`);
  return { ours, bare: performance.now() - bareBegun };
}

/** MiB, garbage apart; buffers live outside the heap. */
function held(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}
