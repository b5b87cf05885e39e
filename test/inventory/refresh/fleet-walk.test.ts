import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIndexState } from '../../../src/inventory/device-index/index-state.ts';
import { createIndexPersistence } from '../../../src/inventory/persistence/index-persistence.ts';
import { createListJudge, isDoubtful, walkFleet } from '../../../src/inventory/refresh/fleet-walk.ts';
import { searchDevices } from '../../../src/inventory/search/device-search.ts';
import { createManualClock, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type DeviceId, deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { aDevice, aGroup, aPolicy, START } from '../../harness/builders.ts';
import { nothingSaved } from '../../harness/nothing-saved.ts';
import { property } from '../../harness/property.ts';
import { madePerTest } from '../../harness/use-started.ts';
import {
  aStore,
  createChangingFleet,
  createIndexSetup,
  deviceRemovedEvent,
  settlePromises,
  startedIndex,
} from '../index-setup.ts';

const setup = madePerTest(() => startedIndex(FLEET));

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

const FLEET = 240;
type Setup = ReturnType<typeof createIndexSetup>;

/** What the index has after a reading of its own. */
async function reading({ inventory, clock }: Setup, ms = MINUTE) {
  await clock.advance(ms);
  await settlePromises();
  const { devices, doubts } = await inventory.snapshot({ lane: 'person', refresh: true });
  return { devices: devices.length, doubts: doubts.map(({ list, missing }) => `${list} ${missing}`) };
}
const readsById = ({ living }: Setup) => living.count('device');

describe('a list is doubted', () => {
  it.each([
    [1, 1, false],
    [3, 3, false],
    [4, 4, true],
    [240, 4, false],
    [240, 5, true],
    [10_000, 200, false],
    [10_000, 201, true],
  ])('of %d known ones where it lacks %d: %s', (known, missing, doubtful) => {
    expect(isDoubtful(known, missing)).toBe(doubtful);
  });
});

describe('a fleet', () => {
  it.each([
    [0, {}],
    [0, { shortfall: FLEET }],
    [100, {}],
    [100, { shortfall: FLEET - 100 }],
  ])(
    'does not vanish in a list that shows %d of it, %j, however often it is repeated',
    async (shown, more) => {
      setup.living.list({ devices: (all) => all.slice(0, shown), more });
      for (let times = 0; times < 8; times += 1)
        expect(await reading(setup, 6 * MINUTE)).toEqual({
          devices: FLEET,
          doubts: [`devices ${FLEET - shown}`],
        });
      setup.living.list({});
      expect(await reading(setup)).toEqual({ devices: FLEET, doubts: [] });
    },
  );

  it('does not vanish in a list that marks most of it as deleted, and is gone once it is', async () => {
    const deletedIds = Array.from({ length: 160 }, (_, at) => 81 + at);
    setup.living.list({ devices: (all) => all.slice(0, 80), more: { deletedIds } });
    for (let times = 0; times < 3; times += 1)
      expect(await reading(setup, 6 * MINUTE)).toEqual({ devices: FLEET, doubts: ['devices 160'] });
    for (const id of deletedIds) setup.living.devices.delete(deviceId(id));
    expect(await reading(setup, 6 * MINUTE)).toEqual({ devices: 80, doubts: [] });
  });

  it('loses a few devices of a day that its list marks as deleted at once', async () => {
    const before = readsById(setup);
    for (const id of [7, 70, 170]) setup.living.markDeleted(deviceId(id));
    expect(await reading(setup)).toEqual({ devices: FLEET - 3, doubts: [] });
    expect(readsById(setup)).toBe(before);
    // From then on devices are read before a list that takes a few more is believed.
    setup.living.list({ devices: (all) => all.slice(3), more: { deletedIds: [1, 2, 3] } });
    expect(await reading(setup)).toEqual({ devices: FLEET - 3, doubts: [] });
  });

  it('that was really removed is gone after one reading and at most twenty reads by id', async () => {
    for (let id = 51; id <= FLEET; id += 1) setup.living.devices.delete(deviceId(id));
    const before = readsById(setup);
    expect(await reading(setup)).toEqual({ devices: 50, doubts: [] });
    expect(readsById(setup) - before).toBe(20);
  });

  it('is gone within fifteen minutes also where nothing can be read by id at first, and nobody asks', async () => {
    const read = setup.living.fleet.device;
    let isDown = true;
    Object.assign(setup.living.fleet, {
      device: async (...asked: Parameters<typeof read>) => {
        if (isDown) setup.living.setDown(true);
        return read(...asked).finally(() => setup.living.setDown(false));
      },
    });
    setup.living.devices.clear();
    expect(await reading(setup)).toEqual({ devices: FLEET, doubts: [`devices ${FLEET}`] });
    isDown = false;
    await setup.pass(14 * MINUTE);
    expect((await setup.inventory.snapshot()).devices).toEqual([]);
  });

  it('is never believed gone while one is alive that was seen once, though all others are gone', async () => {
    for (let id = 1; id <= FLEET; id += 1) if (id !== 1) setup.living.devices.delete(deviceId(id));
    setup.living.list({ devices: () => [] });
    for (let times = 0; times < 5; times += 1)
      expect((await reading(setup, 6 * MINUTE)).devices).toBeGreaterThan(200);
  });

  it('is checked by id every few minutes and in the background, however often it is read', async () => {
    setup.living.list({ devices: () => [] });
    const before = readsById(setup);
    for (let times = 0; times < 4; times += 1) await reading(setup, SECOND);
    expect(readsById(setup) - before).toBe(1);
    const lanes = setup.living.requests.filter(({ what }) => what === 'device').map(({ lane }) => lane);
    expect(new Set(lanes)).toEqual(new Set(['background']));
  });

  it('of which events report the removal is not doubted', async () => {
    setup.inventory.noteEvents([deviceRemovedEvent(1, 500)]);
    for (let id = 101; id <= FLEET; id += 1) setup.living.devices.delete(deviceId(id));
    setup.inventory.noteEvents(
      Array.from({ length: 140 }, (_, at) => deviceRemovedEvent(900 + at, 101 + at)),
    );
    const before = readsById(setup);
    expect(await reading(setup)).toEqual({ devices: 100, doubts: [] });
    expect(readsById(setup)).toBe(before);
  });

  it('keeps its doubt through a restart, and other replicas know of it', async () => {
    const store = await aStore();
    const first = await startedIndex(FLEET, store);
    first.living.list({ devices: () => [] });
    await reading(first);
    await first.inventory.stop();
    const second = createIndexSetup([], store);
    second.living.setDown(true);
    await second.inventory.start();
    await settlePromises();
    const { devices, doubts } = await second.inventory.snapshot();
    expect([devices.length, doubts.map(({ missing }) => missing)]).toEqual([FLEET, [FLEET]]);
  });

  it('is cut by a person who accepts what is missing, and by no more', async () => {
    setup.living.list({ devices: (all) => all.slice(0, 100) });
    await reading(setup);
    await setup.inventory.acceptRemovals(139);
    expect(await reading(setup)).toMatchObject({ devices: FLEET });
    await setup.inventory.acceptRemovals(140);
    expect(await reading(setup)).toEqual({ devices: 100, doubts: [] });
    setup.living.list({ devices: () => [] });
    expect(await reading(setup)).toMatchObject({ devices: 100 });
  });

  const step = fc.record({ shows: fc.nat(60), from: fc.nat(59), removed: fc.nat(4), cut: fc.boolean() });
  property([fc.array(step, { minLength: 1, maxLength: 6 })], { numRuns: 30 })(
    'never loses a device that answers by its id, whatever lists show',
    async (steps) => {
      const setup = await startedIndex(60);
      for (const { shows, from, removed, cut } of steps) {
        const ids = [...setup.living.devices.keys()];
        for (const id of ids.slice(from, from + removed)) setup.living.devices.delete(id);
        const more = cut ? { more: { shortfall: 60 - shows } } : {};
        setup.living.list({ devices: (all) => all.slice(0, shows), ...more });
        await setup.clock.advance(6 * MINUTE);
        const { device } = await setup.inventory.snapshot({ refresh: true });
        for (const id of setup.living.devices.keys()) expect(device(id)).not.toBeNull();
      }
      setup.living.list({});
      await setup.clock.advance(6 * MINUTE);
      const { devices } = await setup.inventory.snapshot({ refresh: true });
      expect(devices.map(({ id }) => id).sort()).toEqual([...setup.living.devices.keys()].sort());
      await setup.inventory.stop();
    },
  );
});

describe('groups and policies', () => {
  const someGroups = (setup: Setup) => {
    for (let id = 101; id <= 110; id += 1) {
      setup.living.groups.set(groupId(id), aGroup({ id: groupId(id), name: `g-${id}` }));
      setup.living.policies.set(policyId(id), aPolicy({ id: policyId(id), name: `p-${id}` }));
    }
  };
  const known = async (setup: Setup) => {
    const { groups, policies, doubts } = await setup.inventory.snapshot({ refresh: true });
    return [groups.size, policies.length, ...doubts.map(({ list, missing }) => `${list} ${missing}`)];
  };

  it('do not vanish either, and are gone once they are', async () => {
    const setup = await startedIndex(3);
    someGroups(setup);
    expect(await known(setup)).toEqual([11, 10]);
    setup.living.list({ groups: 2, policies: 0 });
    expect(await known(setup)).toEqual([11, 10, 'groups 9', 'policies 10']);
    setup.living.groups.clear();
    setup.living.policies.clear();
    await setup.clock.advance(5 * MINUTE);
    expect(await known(setup)).toEqual([0, 0]);
  });

  const without = (setup: Setup, ...ids: readonly number[]) =>
    setup.living.list({ groups: (all) => all.filter(({ id }) => !ids.includes(id)) });

  it('that devices or other groups still name are doubted whatever their number', async () => {
    const setup = await startedIndex(3);
    someGroups(setup);
    setup.living.groups.set(groupId(102), aGroup({ id: groupId(102), parentId: groupId(101) }));
    setup.living.groups.set(groupId(103), aGroup({ id: groupId(103), policyIds: [policyId(110)] }));
    await known(setup);
    for (const lost of [20, 101]) {
      without(setup, lost);
      expect(await known(setup)).toEqual([11, 10, 'groups 1']);
      setup.living.list({});
      expect(await known(setup)).toEqual([11, 10]);
    }
    setup.living.list({ policies: 9 });
    expect(await known(setup)).toEqual([11, 10, 'policies 1']);
  });

  it('that nothing names are removed at once, and named ones as soon as they are not there by id', async () => {
    const setup = await startedIndex(3);
    someGroups(setup);
    await known(setup);
    without(setup, 105);
    expect(await known(setup)).toEqual([10, 10]);
    setup.living.groups.delete(groupId(20));
    expect(await known(setup)).toEqual([9, 10]);
    expect(setup.living.count('group')).toBe(1);
  });
});
