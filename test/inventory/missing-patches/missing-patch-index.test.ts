import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import {
  createMissingPatchIndex,
  PACKAGES_FRESH_MS,
} from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { MAX_DEVICES_PER_QUERY } from '../../../src/inventory/missing-patches/package-reads.ts';
import { createManualClock, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aPackage, START } from '../../harness/builders.ts';
import { aFleetReader } from '../../harness/fleet-reader.ts';
import { noMissingPatchesSaved } from '../../harness/nothing-saved.ts';
import { BROKEN, GONE, many, startMissingPatches, yieldTurns } from './missing-patch-setup.ts';

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

  it('never count more devices as known than there are, whatever fails when', async () => {
    const step = fc.record({
      id: fc.integer({ min: 1, max: 8 }),
      error: fc.constantFrom(null, BROKEN, GONE),
      ms: fc.integer({ min: 0, max: 2 * HOUR }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
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
      }),
      { numRuns: 50 },
    );
  });
});
