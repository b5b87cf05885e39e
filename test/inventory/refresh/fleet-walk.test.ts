import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createIndexState } from '../../../src/inventory/device-index/index-state.ts';
import { createIndexPersistence } from '../../../src/inventory/persistence/index-persistence.ts';
import { createListJudge, walkFleet } from '../../../src/inventory/refresh/fleet-walk.ts';
import { searchDevices } from '../../../src/inventory/search/device-search.ts';
import { createManualClock } from '../../../src/lib/clock.ts';
import { type DeviceId, deviceId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { nothingSaved } from '../../harness/nothing-saved.ts';
import { createChangingFleet } from '../changing-fleet.ts';

const PAGE = 500;
const names = (devices: readonly { readonly name: string }[]) => devices.map(({ name }) => name);
const byNumber = (all: readonly string[]) =>
  all.toSorted((a, b) => Number(a.slice('pc-'.length)) - Number(b.slice('pc-'.length)));

/** One page, last names first; `look` is called whenever the walk lets others run. */
async function walk(
  look: (world: ReturnType<typeof createIndexState> & { readonly removed: Set<DeviceId> }) => void,
) {
  const clock = createManualClock(START);
  const content = Array.from({ length: PAGE }, (_, at) =>
    aDevice({ id: deviceId(at + 1), name: `pc-${PAGE - at}` }),
  );
  const state = createIndexState();
  const since = { seen: new Set<DeviceId>(), removed: new Set<DeviceId>() };
  const walked = walkFleet({
    ...{
      fleet: createChangingFleet(clock, content).fleet,
      clock,
      state,
      persistence: createIndexPersistence({ store: nothingSaved, state, clock, log: silentLog }),
      since,
      judge: createListJudge({ clock, state }),
    },
    ...{ lane: 'background', signal: new AbortController().signal, onPage: () => Promise.resolve() },
  });
  let under = true;
  const end = walked.finally(() => {
    under = false;
  });
  while (under) {
    await setImmediate();
    look({ ...state, removed: since.removed });
  }
  await end;
  return state;
}

describe('a page of the fleet', () => {
  it('lets others run, who find each indexed device once and in order', async () => {
    const sizes: number[] = [];
    await walk(({ rowStore }) => {
      const { rows } = rowStore.ordered();
      sizes.push(rows.length);
      expect(names(rows)).toEqual(byNumber(names(rows)));
      expect(new Set(names(rows)).size).toBe(rowStore.size());
      expect(names(searchDevices(rowStore, ['pc']).devices)).toEqual(names(rows));
    });
    expect(sizes.filter((size) => size > 0 && size < PAGE).length).toBeGreaterThanOrEqual(4);
  });

  it('does not bring back devices that were removed meanwhile', async () => {
    const last = deviceId(PAGE);
    const { rowStore } = await walk(({ rowStore, removed }) => {
      for (const id of [deviceId(1), last]) {
        if (rowStore.size() === 0) return;
        removed.add(id);
        rowStore.remove(id);
      }
    });
    expect([rowStore.size(), rowStore.get(deviceId(1)), rowStore.get(last)]).toEqual([
      PAGE - 2,
      undefined,
      undefined,
    ]);
    expect(names(rowStore.ordered().rows)).toHaveLength(PAGE - 2);
  });
});
