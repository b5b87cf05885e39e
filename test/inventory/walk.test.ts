import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { type DeviceId, deviceId } from '../../src/ids.ts';
import { createBook } from '../../src/inventory/book.ts';
import { keepNothing } from '../../src/inventory/keep.ts';
import { searchDevices } from '../../src/inventory/search.ts';
import { walkFleet } from '../../src/inventory/walk.ts';
import { aDevice, START } from '../harness/builders.ts';
import { createLivingFleet } from './living-fleet.ts';

const PAGE = 500;
const names = (devices: readonly { readonly name: string }[]) => devices.map(({ name }) => name);
const byNumber = (all: readonly string[]) =>
  all.toSorted((a, b) => Number(a.slice('pc-'.length)) - Number(b.slice('pc-'.length)));

/** One page, the last names first; `look` is called at every turn that the walk leaves to others. */
async function walk(
  look: (world: ReturnType<typeof createBook> & { readonly removed: Set<DeviceId> }) => void,
) {
  const clock = createManualClock(START);
  const content = Array.from({ length: PAGE }, (_, at) =>
    aDevice({ id: deviceId(at + 1), name: `pc-${PAGE - at}` }),
  );
  const book = createBook();
  const since = { seen: new Set<DeviceId>(), removed: new Set<DeviceId>() };
  const walked = walkFleet({
    ...{ fleet: createLivingFleet(clock, content).fleet, clock, book, keep: keepNothing, since },
    ...{ lane: 'background', signal: new AbortController().signal, onPage: () => Promise.resolve() },
  });
  let under = true;
  const end = walked.finally(() => {
    under = false;
  });
  while (under) {
    await setImmediate();
    look({ ...book, removed: since.removed });
  }
  await end;
  return book;
}

describe('a page of the fleet', () => {
  it('leaves turns to others, who find each device that is there, once and in order', async () => {
    const sizes: number[] = [];
    await walk(({ shelf }) => {
      const { rows } = shelf.ordered();
      sizes.push(rows.length);
      expect(names(rows)).toEqual(byNumber(names(rows)));
      expect(new Set(names(rows)).size).toBe(shelf.size());
      expect(names(searchDevices(shelf, ['pc']).devices)).toEqual(names(rows));
    });
    expect(sizes.filter((size) => size > 0 && size < PAGE).length).toBeGreaterThanOrEqual(4);
  });

  it('does not bring back what was removed meanwhile', async () => {
    const last = deviceId(PAGE);
    const { shelf } = await walk(({ shelf, removed }) => {
      for (const id of [deviceId(1), last]) {
        if (shelf.size() === 0) return;
        removed.add(id);
        shelf.remove(id);
      }
    });
    expect([shelf.size(), shelf.get(deviceId(1)), shelf.get(last)]).toEqual([PAGE - 2, undefined, undefined]);
    expect(names(shelf.ordered().rows)).toHaveLength(PAGE - 2);
  });
});
