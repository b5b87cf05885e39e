import { describe, expect, it } from 'vitest';
import type { PackageChange } from '../../../src/inventory/missing-patches/known-packages.ts';
import { HOUR, type Instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { type DeviceId, deviceId, eventId } from '../../../src/lib/ids.ts';
import type { DeviceTextChange, DeviceTextStore } from '../../../src/store/port/store.ts';
import { anEvent, aPackage, START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { many, startMissingPatches, yieldTurns } from './missing-patch-setup.ts';

const FIRST = deviceId(1);
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
