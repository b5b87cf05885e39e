import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import {
  MAX_STORED_PACKAGES,
  MISSING_PATCHES_KEPT_MS,
  type PackageChange,
} from '../../../src/inventory/missing-patches/known-packages.ts';
import {
  createMissingPatchIndex,
  PACKAGES_FRESH_MS,
} from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { MAX_DEVICES_PER_QUERY } from '../../../src/inventory/missing-patches/package-reads.ts';
import { createManualClock, HOUR, type Instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { type DeviceId, deviceId, eventId, groupId } from '../../../src/lib/ids.ts';
import type { DeviceTextChange, DeviceTextStore } from '../../../src/store/port/store.ts';
import { anEvent, aPackage, START } from '../../harness/builders.ts';
import { aFleetReader } from '../../harness/fleet-reader.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { noMissingPatchesSaved } from '../../harness/nothing-saved.ts';
import { property } from '../../harness/property.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { aStore } from '../index-setup.ts';
import {
  BROKEN,
  GONE,
  type MissingPatchSetupOptions,
  many,
  startMissingPatches,
  yieldTurns,
} from './missing-patch-setup.ts';

const table = madePerTest(() => aTable());

const LINUX = groupId(20);
const KIOSKS = groupId(30);

describe('missing patches', () => {
  it('are read only for devices that the service lists with missing patches, in the background', async () => {
    const fleet = startMissingPatches(many(3));
    fleet.packages.set(deviceId(2), [
      aPackage({ name: 'curl' }),
      aPackage({ installed: true }),
      aPackage({ ignored: true }),
    ]);
    const looked = await fleet.look();
    expect(fleet.lists).toEqual([{ missingPatches: true, withoutPolicyStatus: true }]);
    expect([...fleet.lanes]).toEqual(['background']);
    expect(looked).toMatchObject({ unread: 0, isReading: false });
    expect(looked.devices.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(looked.known.get(deviceId(2))).toMatchObject({ asOf: START, packages: [{ name: 'curl' }] });
    expect(fleet.names).toContain('curl');
  });

  it('cost one request per device and hour, whatever and however often people ask', async () => {
    const fleet = startMissingPatches(many(3));
    await fleet.look();
    await fleet.look();
    await fleet.clock.advance(PACKAGES_FRESH_MS);
    await fleet.look();
    expect(fleet.reads).toHaveLength(3);
    await fleet.clock.advance(1);
    await fleet.look();
    expect(fleet.reads).toHaveLength(6);
  });

  it.each([500, 3])(
    'need no page after one that is shorter than others, with %d rows per page',
    async (cap) => {
      const sizes = [5, 4, 0, 2, 6, 3, 1, 7, 5];
      const fleet = startMissingPatches(many(sizes.length), { cap });
      for (const [at, size] of sizes.entries()) {
        const packages = Array.from({ length: size }, (_, id) => aPackage({ id, name: `p${id}` }));
        fleet.packages.set(deviceId(at + 1), packages);
      }
      const { known } = await fleet.look();
      expect(sizes.map((_, at) => known.get(deviceId(at + 1))?.packages.length)).toEqual(sizes);
      const least = sizes.reduce((sum, size) => sum + Math.floor(size / cap) + 1, 0);
      expect(fleet.requests.length).toBeLessThanOrEqual(least);
    },
  );

  it('need the list of devices once in five minutes, and once for two callers at the same time', async () => {
    const fleet = startMissingPatches(many(1));
    await Promise.all([fleet.look(), fleet.look()]);
    await fleet.look();
    expect(fleet.lists).toHaveLength(1);
    await fleet.clock.advance(5 * MINUTE);
    await fleet.look();
    expect(fleet.lists).toHaveLength(2);
    await fleet.look(null, true);
    expect(fleet.lists).toHaveLength(3);
  });

  it('list a few groups separately and many with all others, and take no device of another group', async () => {
    const fleet = startMissingPatches(many(4, (at) => ({ groupId: at % 2 === 0 ? LINUX : KIOSKS })));
    expect((await fleet.look([LINUX])).devices.map(({ id }) => id)).toEqual([1, 3]);
    expect(fleet.lists).toMatchObject([{ groupId: LINUX }]);
    // This service ignores the filter, so both lists have all four.
    expect((await fleet.look([LINUX, KIOSKS])).devices.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    await fleet.look([LINUX, ...[40, 41, 42, 43].map(groupId)]);
    expect(fleet.lists.at(-1)).not.toHaveProperty('groupId');
  });

  it('are answered in time with what is known, read on in the background, and continued when asked again', async () => {
    const fleet = startMissingPatches(many(5), { held: true });
    const first = fleet.look();
    await yieldTurns();
    await fleet.clock.advance(8 * SECOND);
    expect(await first).toMatchObject({ isReading: true, unread: 0 });
    expect((await first).known.size).toBe(0);
    fleet.release();
    await yieldTurns();
    expect(fleet.reads).toHaveLength(5);
    const second = await fleet.look();
    expect(second.known.size).toBe(5);
    expect(second.isReading).toBe(false);
    expect(fleet.reads).toHaveLength(5);
  });

  it('are read for at most a thousand devices per question, unread ones first', async () => {
    const fleet = startMissingPatches(many(MAX_DEVICES_PER_QUERY + 200));
    expect((await fleet.look()).known.size).toBe(MAX_DEVICES_PER_QUERY);
    const second = await fleet.look();
    expect(second.known.size).toBe(MAX_DEVICES_PER_QUERY + 200);
    expect(new Set(fleet.reads).size).toBe(fleet.reads.length);
  });

  it('leave out a deleted device, and count those that could not be read', async () => {
    const fleet = startMissingPatches(many(4));
    fleet.errors.set(deviceId(1), GONE);
    fleet.errors.set(deviceId(2), BROKEN);
    const looked = await fleet.look();
    expect(looked.devices.map(({ id }) => id)).toEqual([2, 3, 4]);
    expect(looked.unread).toBe(1);
    fleet.errors.clear();
    expect((await fleet.look()).unread).toBe(0);
    expect(fleet.reads.filter((id) => id === 1)).toHaveLength(1);
  });

  it('are no longer requested from a service that fails repeatedly', async () => {
    const fleet = startMissingPatches(many(100));
    for (const { id } of many(100)) fleet.errors.set(id, BROKEN);
    const looked = await fleet.look();
    expect(fleet.reads.length).toBeLessThan(10);
    expect(looked.isReading).toBe(false);
    expect(looked.known.size).toBe(0);
  });

  it('include what was read for another purpose, and lose nothing else by it', async () => {
    const fleet = startMissingPatches(many(2));
    fleet.missingPatches.learnPackages(deviceId(1), [aPackage({ name: 'vim' })], fleet.clock.now());
    const looked = await fleet.look();
    expect(fleet.reads).toEqual([2]);
    expect(looked.known.get(deviceId(1))?.packages).toMatchObject([{ name: 'vim' }]);
  });

  it('finish the current reads on a stop, and read nothing more', async () => {
    const fleet = startMissingPatches(many(50), { held: true });
    const looking = fleet.look();
    await yieldTurns();
    const stopped = fleet.missingPatches.stop();
    fleet.release();
    await stopped;
    await looking;
    expect(fleet.reads.length).toBeLessThanOrEqual(3);
  });

  it('are not none where the list lacks devices that are known to miss some', async () => {
    const fleet = startMissingPatches([]);
    const rows = many(3, (at) => ({ patches: [2, null, 0][at] ?? null }));
    for (const device of rows) fleet.stated.set(device.id, device);
    fleet.packages.set(deviceId(1), [aPackage({ installed: true })]);
    const { devices, known, unread } = await fleet.look();
    expect(devices.map(({ id }) => id)).toEqual([1, 2]);
    expect([[...known.keys()], unread]).toEqual([[2], 1]);
  });

  it('throw when the devices cannot be listed at all', async () => {
    const clock = createManualClock(START);
    async function* devices() {
      yield await Promise.reject(new FleetFailure(BROKEN));
    }
    const fleet = aFleetReader({ devices });
    const missingPatches = createMissingPatchIndex({
      clock,
      onNames: () => {},
      fleet,
      ...noMissingPatchesSaved,
    });
    await expect(missingPatches.query({ groups: null, waitMs: 0 })).rejects.toThrow(FleetFailure);
  });

  const step = fc.record({
    id: fc.integer({ min: 1, max: 8 }),
    error: fc.constantFrom(null, BROKEN, GONE),
    ms: fc.integer({ min: 0, max: 2 * HOUR }),
  });
  property([fc.array(step, { maxLength: 8 })], { numRuns: 50 })(
    'never count more devices as known than there are, whatever fails when',
    async (steps) => {
      const fleet = startMissingPatches(many(8));
      for (const { id, error, ms } of steps) {
        if (error === null) fleet.errors.delete(deviceId(id));
        else fleet.errors.set(deviceId(id), error);
        const { devices, known, unread, isReading } = await fleet.look();
        expect(known.size).toBeLessThanOrEqual(devices.length);
        expect(isReading).toBe(false);
        expect(unread).toBeLessThanOrEqual(devices.length);
        expect(devices.every((one) => known.has(one.id) || fleet.errors.has(one.id))).toBe(true);
        await fleet.clock.advance(ms);
      }
    },
  );
});

const ways = (known: ReadonlyMap<unknown, { readonly from?: 'list' | undefined }>) =>
  [...known.values()].map(({ from }) => from ?? 'device');

describe('the list of missing packages of all devices', () => {
  it('answers for many devices without a request for each', async () => {
    const fleet = startMissingPatches(many(40), { hasList: true, cap: 7 });
    fleet.packages.set(deviceId(2), [
      aPackage({ name: 'curl' }),
      aPackage({ ignored: true }),
      aPackage({ name: 'vim', installed: true }),
    ]);
    const { known, isReading, isSeenComplete, seen } = await fleet.look();
    expect(fleet.reads).toEqual([]);
    expect(fleet.listReads).toEqual(['background']);
    expect(known.get(deviceId(2))).toMatchObject({ asOf: START, packages: [{ name: 'curl' }], from: 'list' });
    expect(new Set(ways(known))).toEqual(new Set(['list']));
    expect([known.size, isReading]).toEqual([40, false]);
    // It has no installed packages, so a name that it does not have may still exist.
    expect([isSeenComplete, seen.hasName('curl'), seen.hasName('vim')]).toEqual([false, true, false]);
    expect(fleet.names).toContain('curl');
  });

  it('is not read for a few devices, for which single reads cost less', async () => {
    const fleet = startMissingPatches(many(20), { hasList: true });
    const { known } = await fleet.look();
    expect([fleet.listReads, fleet.reads.length]).toEqual([[], 20]);
    expect(new Set(ways(known))).toEqual(new Set(['device']));
  });

  it('is not read again where it has more pages than there are devices to read', async () => {
    const fleet = startMissingPatches(many(40), { hasList: true, cap: 1 });
    await fleet.look();
    await fleet.clock.advance(PACKAGES_FRESH_MS + 1);
    await fleet.look();
    expect([fleet.listReads.length, fleet.reads.length]).toEqual([1, 40]);
  });

  it('leaves devices that it does not name to be read by themselves', async () => {
    const fleet = startMissingPatches(many(40), { hasList: true });
    fleet.list.leftOut.add(deviceId(7));
    const { known } = await fleet.look();
    expect(fleet.reads).toEqual([7]);
    expect(known.get(deviceId(7))).not.toHaveProperty('from');
    expect(known.get(deviceId(7))?.packages).toHaveLength(1);
  });

  it('is read device by device where the service has none, and tried again after an hour', async () => {
    const fleet = startMissingPatches(many(40));
    const { known } = await fleet.look();
    expect([fleet.listReads.length, fleet.reads.length, known.size]).toEqual([1, 40, 40]);
    await fleet.clock.advance(PACKAGES_FRESH_MS - 1);
    fleet.missingPatches.packagesChanged({ deviceId: deviceId(1), at: fleet.clock.now() });
    await fleet.look();
    expect(fleet.listReads).toHaveLength(1);
    await fleet.clock.advance(HOUR);
    await fleet.look();
    expect(fleet.listReads).toHaveLength(2);
  });

  it('is read device by device for a while after it failed', async () => {
    const fleet = startMissingPatches(many(40), { hasList: true });
    fleet.list.error = BROKEN;
    expect(ways((await fleet.look()).known)).toHaveLength(40);
    fleet.list.error = null;
    await fleet.clock.advance(PACKAGES_FRESH_MS + 10 * MINUTE);
    expect(new Set(ways((await fleet.look()).known))).toEqual(new Set(['list']));
  });

  it('tells nothing of a device that changed while it was read', async () => {
    const fleet = startMissingPatches(many(40), { hasList: true, held: true });
    const looked = fleet.look();
    await yieldTurns();
    await fleet.clock.advance(1);
    fleet.missingPatches.packagesChanged({ deviceId: deviceId(3), at: fleet.clock.now() });
    fleet.release();
    const { known } = await looked;
    expect(fleet.reads).toEqual([3]);
    expect(known.get(deviceId(3))).not.toHaveProperty('from');
  });

  it('is remembered as the source over a restart', async () => {
    const { inventory, close } = await memoryStore();
    const table = inventory.missingPatches;
    const fleet = startMissingPatches(many(40), { hasList: true, table });
    await fleet.look();
    await fleet.missingPatches.stop();
    const again = startMissingPatches(many(40), { hasList: true, table });
    again.missingPatches.start();
    expect(new Set(ways((await again.look()).known))).toEqual(new Set(['list']));
    expect(again.listReads).toEqual([]);
    await close();
  });
});

/** One table with several replicas as writers. */
function sharedTable() {
  const rows = new Map<DeviceId, DeviceTextChange & { readonly writer: string }>();
  let revision = 0;
  const as = (writer: string) => {
    const write = async (ids: readonly DeviceId[], bodyOf: (id: DeviceId) => string | null) => {
      revision += 1;
      for (const id of ids) rows.set(id, { deviceId: id, body: bodyOf(id), revision, writer });
    };
    const table: DeviceTextStore = {
      list: async () => [],
      put: (all) =>
        write(
          all.map(({ deviceId: id }) => id),
          (id) => all.find((row) => row.deviceId === id)?.body ?? null,
        ),
      drop: (ids) => write(ids, () => null),
      changesSince: async (after) =>
        [...rows.values()].filter((row) => row.writer !== writer && row.revision > after.revision),
    };
    return { table, revision: async () => revision };
  };
  return { as };
}

const patched = (at: Instant | null, id = 1) =>
  anEvent({ id: eventId(id), name: 'system.patch.applied', deviceId: FIRST, createTime: at });

describe('known packages of a device', () => {
  it('are no longer used once a change of them was verified', async () => {
    const fleet = startMissingPatches(many(2));
    fleet.packages.set(FIRST, [aPackage({ name: 'curl' })]);
    await fleet.look();
    await fleet.clock.advance(30 * MINUTE);
    fleet.packages.set(FIRST, []);
    fleet.missingPatches.packagesChanged({ deviceId: FIRST, at: fleet.clock.now() });
    const { known } = await fleet.look();
    expect(known.get(FIRST)).toEqual({ asOf: fleet.clock.now(), packages: [] });
    expect(fleet.reads).toEqual([1, 2, 1]);
  });

  it('are no longer used when another replica verified the change, which is only in the store', async () => {
    const changes: PackageChange[] = [];
    const changesSince = async (since: Instant) => changes.filter(({ at }) => at > since);
    const fleet = startMissingPatches(many(2), { changesSince });
    await fleet.look();
    await fleet.clock.advance(30 * MINUTE);
    changes.push({ deviceId: FIRST, at: later(START, 10 * MINUTE) });
    await fleet.look();
    await fleet.look();
    expect(fleet.reads).toEqual([1, 2, 1]);
  });

  it.each([
    ['a patch of it', later(START, 10 * MINUTE), [1, 2, 1]],
    ['a patch at no stated time', null, [1, 2, 1]],
    ['a patch of long before', later(START, -HOUR), [1, 2]],
  ])(
    'is read again after the event of %s, and once, however often that is listed',
    async (_what, at, reads) => {
      const fleet = startMissingPatches(many(2));
      await fleet.look();
      await fleet.clock.advance(11 * MINUTE);
      for (let time = 0; time < 3; time += 1) {
        fleet.missingPatches.noteEvents([
          patched(at),
          anEvent({ id: eventId(9), name: 'user.login', deviceId: deviceId(2) }),
        ]);
        await fleet.look();
      }
      expect(fleet.reads).toEqual(reads);
    },
  );

  it('are dropped from the store too', async () => {
    const { inventory } = await memoryStore();
    const fleet = startMissingPatches(many(2), { table: inventory.missingPatches });
    await fleet.look();
    await fleet.clock.advance(MINUTE);
    fleet.missingPatches.packagesChanged({ deviceId: FIRST, at: fleet.clock.now() });
    await fleet.missingPatches.stop();
    expect((await inventory.missingPatches.list(null, 10)).map((row) => row.deviceId)).toEqual([2]);
  });

  it('are not what another replica read before the change, and that replica forgets them too', async () => {
    const shared = sharedTable();
    const ours = startMissingPatches(many(1), { ...shared.as('ours'), afterMs: HOUR });
    const theirs = startMissingPatches(many(1), shared.as('theirs'));
    for (const { missingPatches } of [ours, theirs]) missingPatches.start();
    await theirs.look();
    await theirs.clock.advance(MINUTE);
    await yieldTurns();
    ours.missingPatches.noteEvents([patched(later(START, 30 * MINUTE))]);
    await ours.missingPatches.followReplicas();
    await yieldTurns();
    await theirs.missingPatches.followReplicas();
    await theirs.look();
    await ours.look();
    expect([ours.reads, theirs.reads]).toEqual([[1], [1, 1]]);
  });

  it('are not what was read while they changed', async () => {
    const fleet = startMissingPatches(many(1), { held: true });
    fleet.packages.set(FIRST, [aPackage({ name: 'curl' })]);
    const looking = fleet.look();
    await yieldTurns();
    await fleet.clock.advance(1);
    fleet.missingPatches.packagesChanged({ deviceId: FIRST, at: fleet.clock.now() });
    fleet.release();
    expect((await looking).known.get(FIRST)).toMatchObject({ asOf: fleet.clock.now() });
    expect(fleet.reads).toEqual([1, 1]);
  });

  it('are as old as the start of their read', async () => {
    const fleet = startMissingPatches(many(1), { held: true });
    const looking = fleet.look();
    await yieldTurns();
    await fleet.clock.advance(5_000);
    fleet.release();
    expect((await looking).known.get(FIRST)?.asOf).toBe(START);
  });
});

describe('seen packages', () => {
  it('include installed ones, by both names and by their CVEs', async () => {
    const fleet = startMissingPatches(many(1));
    const one = { name: 'vim', displayName: 'Vi IMproved', installed: true, cves: ['CVE-2026-0007'] };
    fleet.packages.set(FIRST, [aPackage(one)]);
    const { seen, isSeenComplete } = await fleet.look();
    expect(isSeenComplete).toBe(true);
    expect(['VIM', 'vi improved', 'vi'].map(seen.hasName)).toEqual([true, true, false]);
    expect(['cve-2026-0007', 'CVE-2026-0008'].map(seen.hasCve)).toEqual([true, false]);
  });

  it('are incomplete for entries stored before a restart', async () => {
    const { inventory } = await memoryStore();
    const before = startMissingPatches(many(1), { table: inventory.missingPatches });
    await before.look();
    await before.missingPatches.stop();
    const after = startMissingPatches(many(1), { table: inventory.missingPatches });
    after.missingPatches.start();
    expect((await after.look()).isSeenComplete).toBe(false);
  });
});

const FIRST = deviceId(1);
const SECOND_DEVICE = deviceId(2);
const aTable = async () => (await aStore()).missingPatches;
const idsIn = async (table: DeviceTextStore) => (await table.list(null, 10)).map((row) => row.deviceId);

/** The same fleet after a restart, this long after the first start. */
function restarted(count: number, options: MissingPatchSetupOptions) {
  const fleet = startMissingPatches(many(count), options);
  fleet.missingPatches.start();
  return fleet;
}

describe('missing patches after a restart', () => {
  it('are known with their age, without reading any device again', async () => {
    const before = startMissingPatches(many(2), { table });
    const odd = { name: 'Zürich "\\ 💥\u0000', displayName: '', version: null, severity: null, cves: [] };
    const full = { cves: ['CVE-2026-1', 'CVE-2026-2'], exploitedCves: ['CVE-2026-2'], severity: 'high' };
    before.packages.set(FIRST, [aPackage(odd), aPackage(full), aPackage({ installed: true })]);
    before.packages.set(SECOND_DEVICE, []);
    const { known } = await before.look();
    await before.missingPatches.stop();

    const after = restarted(2, { table, afterMs: PACKAGES_FRESH_MS });
    const looked = await after.look();
    expect(after.reads).toEqual([]);
    expect(looked.known.get(FIRST)).toEqual(known.get(FIRST));
    expect(looked.known.get(FIRST)).toMatchObject({ asOf: START, packages: [odd, full] });
    expect(looked.known.get(SECOND_DEVICE)).toMatchObject({ packages: [] });
    expect(after.names).toContain(odd.name);
  });

  it('are read again after an hour, and shown with their age until then', async () => {
    const before = startMissingPatches(many(1), { table });
    await before.look();
    await before.missingPatches.stop();
    const after = restarted(1, { table, afterMs: PACKAGES_FRESH_MS + 1, held: true });
    const looking = after.look();
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    await after.clock.advance(8 * SECOND);
    expect((await looking).known.get(FIRST)?.asOf).toBe(START);
    expect(after.reads).toEqual([FIRST]);
    after.release();
  });

  it.each([
    ['is a day old', { afterMs: MISSING_PATCHES_KEPT_MS + 1 }],
    ['comes from a clock that is ahead', { afterMs: -1 }],
  ])('are left out and deleted when the entry %s', async (_, { afterMs }) => {
    const before = startMissingPatches(many(1), { table });
    await before.look();
    await before.missingPatches.stop();
    expect(await idsIn(table)).toEqual([1]);
    const after = restarted(1, { table, afterMs, held: true });
    await after.missingPatches.stop();
    expect(await idsIn(table)).toEqual([]);
    expect(after.names).toEqual([]);
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['another form', `[1,${START},[]]`],
    ['no time', '[2,"today",[]]'],
    ['no list', `[2,${START},{}]`],
    ['a package without a name', `[2,${START},[[null,"",null,null,[],[],false]]]`],
    ['a package with more fields', `[2,${START},[["a","a",null,null,[],[],false,1]]]`],
    ['CVEs that are no words', `[2,${START},[["a","a",null,null,[1],[],false]]]`],
    ['a restart that is no flag', `[2,${START},[["a","a",null,null,[],[],1]]]`],
    ['an invalid package after a valid one', `[2,${START},[["a","a",null,null,[],[],false],null]]`],
  ])('are read again when the stored entry is %s', async (_, body) => {
    await table.put([{ deviceId: FIRST, body }]);
    const fleet = restarted(1, { table });
    fleet.packages.set(FIRST, [aPackage({ name: 'vim' })]);
    const { known } = await fleet.look();
    expect(fleet.reads).toEqual([FIRST]);
    expect(known.get(FIRST)?.packages.map(({ name }) => name)).toEqual(['vim']);
  });

  it('prefer what was read meanwhile to what was stored', async () => {
    const before = startMissingPatches(many(1), { table });
    await before.look();
    await before.missingPatches.stop();
    const after = startMissingPatches(many(1), { table });
    after.missingPatches.start();
    after.missingPatches.learnPackages(FIRST, [aPackage({ name: 'newer' })], after.clock.now());
    expect((await after.look()).known.get(FIRST)?.packages).toMatchObject([{ name: 'newer' }]);
    await after.missingPatches.stop();
    const last = restarted(1, { table });
    expect((await last.look()).known.get(FIRST)?.packages).toMatchObject([{ name: 'newer' }]);
  });

  it('keep what was read while the stored rest was still loading', async () => {
    const table = await aTable();
    const rows = Array.from({ length: 2_000 }, (_, at) => ({ deviceId: deviceId(at + 1), body: 'nonsense' }));
    await table.put(rows);
    const rest = Promise.withResolvers<void>();
    const list: DeviceTextStore['list'] = async (after, limit) => {
      if (after !== null) await rest.promise;
      return table.list(after, limit);
    };
    const fleet = restarted(1, { table: { ...table, list } });
    await yieldTurns();
    fleet.missingPatches.learnPackages(FIRST, [aPackage({ name: 'newer' })], fleet.clock.now());
    rest.resolve();
    await fleet.missingPatches.stop();
    expect(await idsIn(table)).toEqual([1]);
  });

  it('forget a device that the service no longer knows', async () => {
    const fleet = startMissingPatches(many(2), { table });
    await fleet.look();
    await fleet.clock.advance(PACKAGES_FRESH_MS + HOUR);
    fleet.errors.set(FIRST, GONE);
    await fleet.look();
    await fleet.missingPatches.stop();
    expect(await idsIn(table)).toEqual([2]);
  });

  it('are stored up to the limit, most recently read first', async () => {
    const fleet = startMissingPatches(many(3), { table });
    const half = Array.from({ length: MAX_STORED_PACKAGES / 2 }, () => aPackage({ name: 'p' }));
    for (const id of [1, 2, 3].map(deviceId))
      fleet.missingPatches.learnPackages(id, half.slice(0, id === 3 ? 10 : undefined), fleet.clock.now());
    await fleet.missingPatches.stop();
    expect(await idsIn(table)).toEqual([2, 3]);
  });

  it('are answered even when nothing can be stored or loaded', async () => {
    const broken = () => Promise.reject(new Error('disk full'));
    const fleet = restarted(1, { table: { list: broken, put: broken, drop: broken, changesSince: broken } });
    expect((await fleet.look()).known.size).toBe(1);
    await fleet.missingPatches.stop();
  });
});
