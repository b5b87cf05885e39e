/**
 * A process that searches a fleet of 100,000 in memory, with the index and with uFuzzy alone (`measure`), or loads
 * the index from its file (`restart`). It reports the figures to its parent and ends.
 */
import { setImmediate } from 'node:timers/promises';
import { createInventory } from '../../../src/inventory/inventory-service.ts';
import { createManualClock } from '../../../src/lib/clock.ts';
import { organizationId } from '../../../src/lib/ids.ts';
import { openStore } from '../../../src/store/open.ts';
import { BROKEN, createFakeFleet } from '../../commands/harness/fake-fleet.ts';
import { START } from '../../harness/builders.ts';
import { bareSearch, readBare } from './baseline.ts';
import { timeDispatch } from './dispatch.ts';
import { QUERIES } from './queries.ts';
import { fleetPages } from './sample-fleet.ts';

export type Timings = { readonly ours: readonly number[]; readonly bare: readonly number[] };
export type SearchResult = {
  readonly search: Timings;
  readonly completion: Timings;
  readonly dispatch: Timings;
  /** MiB. */
  readonly heap: { readonly ours: number; readonly bare: number };
};
export type RestartResult = { readonly ours: number; readonly bare: number };

const ROWS = 100_000;
const ROUNDS = 15;
const WARM_UP = 5;
/** As many as Slack shows in a menu. */
const MENU = 100;
const ORGANIZATION = organizationId(7);

const [, , mode = '', path = ''] = process.argv;
const report = mode === 'restart' ? await restart() : await measure();
process.send?.(report, () => process.exit(0));

async function measure(): Promise<SearchResult> {
  const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: ORGANIZATION });
  const clock = createManualClock(START);
  const before = heldMemory();
  const inventory = createInventory({
    fleet: { ...createFakeFleet({ devices: [] }), devices: () => fleetPages(ROWS) },
    clock,
    store: store.inventory,
  });
  const { devices, search } = await inventory.snapshot({ refresh: true, lane: 'person' });
  await inventory.stop();
  const ours = heldMemory() - before;
  const bare = bareSearch(devices);
  const menu = (text: string) => inventory.suggest('device', text, MENU);
  const figures = {
    heap: { ours, bare: heldMemory() - before - ours },
    search: interleaved((text) => search(text.split(' ')).devices.slice(0, MENU), bare),
    completion: interleaved(menu, (text) =>
      bare(text).map((id) => ({ id, label: `${id}`, detail: `#${id}` })),
    ),
    dispatch: await timeDispatch(inventory, bare),
  };
  await store.close();
  return figures;
}

/** Each query on both sides in turn, so that other load on the machine affects both alike. Milliseconds. */
function interleaved(ours: (text: string) => unknown, bare: (text: string) => unknown): Timings {
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

async function restart(): Promise<RestartResult> {
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

/** MiB without garbage; buffers are outside the heap. */
function heldMemory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}
