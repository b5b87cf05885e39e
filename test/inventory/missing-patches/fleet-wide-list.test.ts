import { describe, expect, it } from 'vitest';
import { PACKAGES_FRESH_MS } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aPackage, START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { BROKEN, many, startMissingPatches, yieldTurns } from './missing-patch-setup.ts';

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
