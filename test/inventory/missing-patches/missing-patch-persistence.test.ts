import { describe, expect, it } from 'vitest';
import {
  MAX_STORED_PACKAGES,
  MISSING_PATCHES_KEPT_MS,
} from '../../../src/inventory/missing-patches/known-packages.ts';
import { PACKAGES_FRESH_MS } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { HOUR, SECOND } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import type { DeviceTextStore } from '../../../src/store/port/store.ts';
import { aPackage, START } from '../../harness/builders.ts';
import { aStore } from '../index-setup.ts';
import {
  GONE,
  type MissingPatchSetupOptions,
  many,
  startMissingPatches,
  yieldTurns,
} from './missing-patch-setup.ts';

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
    const table = await aTable();
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
    const table = await aTable();
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
    const table = await aTable();
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
    const table = await aTable();
    await table.put([{ deviceId: FIRST, body }]);
    const fleet = restarted(1, { table });
    fleet.packages.set(FIRST, [aPackage({ name: 'vim' })]);
    const { known } = await fleet.look();
    expect(fleet.reads).toEqual([FIRST]);
    expect(known.get(FIRST)?.packages.map(({ name }) => name)).toEqual(['vim']);
  });

  it('prefer what was read meanwhile to what was stored', async () => {
    const table = await aTable();
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
    const table = await aTable();
    const fleet = startMissingPatches(many(2), { table });
    await fleet.look();
    await fleet.clock.advance(PACKAGES_FRESH_MS + HOUR);
    fleet.errors.set(FIRST, GONE);
    await fleet.look();
    await fleet.missingPatches.stop();
    expect(await idsIn(table)).toEqual([2]);
  });

  it('are stored up to the limit, most recently read first', async () => {
    const table = await aTable();
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
