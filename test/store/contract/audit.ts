import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { firstBrokenRecord } from '../../../src/store/tables/audit.ts';
import { anEntry, ORGANIZATION, START } from '../builders.ts';
import type { StoreSetup } from '../store-setup.ts';

export function auditContract(world: () => StoreSetup): void {
  const all = () => world().store.audit.list(0, 10_000);

  describe('audit', () => {
    it('returns what was appended, in order, in pages', async () => {
      const first = await world().store.audit.append(anEntry());
      const second = await world().store.audit.append(anEntry({ actor: 'patchbay', detail: {} }));
      expect(first).toEqual({ ...anEntry(), sequence: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(await world().store.audit.list(0, 1)).toEqual([first]);
      expect(await world().store.audit.list(1, 5)).toEqual([second]);
      expect(await world().store.audit.list(2, 5)).toEqual([]);
    });

    it('lists the newest first, from a time on, up to a limit', async () => {
      const at = instant(START + 1_000_000_000);
      const older = await world().store.audit.append(anEntry({ at }));
      const newer = await world().store.audit.append(anEntry({ at: instant(at + 1) }));
      const { latest } = world().store.audit;
      expect(await latest(at, 9)).toEqual([newer, older]);
      expect(await latest(at, 1)).toEqual([newer]);
      expect(await latest(instant(at + 1), 9)).toEqual([newer]);
      expect(await latest(instant(at + 2), 9)).toEqual([]);
    });

    it('chains its entries, whatever their text and the order of their details', async () => {
      await world().store.audit.append(
        anEntry({ subject: '\u0000\ud800', action: 'ö', detail: { z: 1, a: 'x\u0000\ud800', m: -0.5 } }),
      );
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('keeps its chain intact whatever the entries contain', async () => {
      const anyText = fc.string({ unit: 'binary', maxLength: 50 });
      const value = fc.oneof(
        anyText,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
      );
      const entry = fc.record({ action: anyText, subject: anyText, detail: fc.dictionary(anyText, value) });
      await fc.assert(
        fc.asyncProperty(entry, async (given) => {
          await world().store.audit.append(anEntry(given));
        }),
        { numRuns: 50 },
      );
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('keeps its chain intact with a key that would set a prototype', async () => {
      await world().store.audit.append(anEntry({ detail: JSON.parse('{"__proto__": 1, "a": 2}') }));
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('keeps one chain when fifty append at once', async () => {
      const stores = await world().replicas(5);
      const before = (await all()).length;
      const appended = await Promise.all(
        Array.from({ length: 50 }, (_, at) => stores[at % 5]?.audit.append(anEntry({ subject: `s${at}` }))),
      );
      const records = await all();
      expect(records.length).toBe(before + 50);
      expect(firstBrokenRecord(records, ORGANIZATION)).toBeNull();
      for (const record of appended) expect(records).toContainEqual(record);
    });

    it('keeps one chain where several are appended at once', async () => {
      const before = (await all()).length;
      const subjects = Array.from({ length: 501 }, (_, at) => `several ${at}`);
      await world().store.audit.appendAll([]);
      await world().store.audit.appendAll(subjects.map((subject) => anEntry({ subject })));
      await world().store.audit.append(anEntry());
      const records = await all();
      expect(records.slice(before, -1).map(({ subject }) => subject)).toEqual(subjects);
      expect(firstBrokenRecord(records, ORGANIZATION)).toBeNull();
    });

    it('leaves no gap where a transaction was rolled back', async () => {
      const before = (await all()).length;
      const refused = world().store.transaction(async (tables) => {
        await tables.audit.append(anEntry());
        throw new Error('changed my mind');
      });
      await expect(refused).rejects.toThrow('changed my mind');
      const next = await world().store.audit.append(anEntry());
      expect(next.sequence).toBe(before + 1);
      expect(firstBrokenRecord(await all(), ORGANIZATION)).toBeNull();
    });

    it('cannot be changed or shortened through the database', async () => {
      const before = await all();
      await expect(world().raw(`update audit set subject = 'x'`)).rejects.toThrow('only grows');
      await expect(world().raw('delete from audit')).rejects.toThrow('only grows');
      await expect(world().raw(world().replacing)).rejects.toThrow('only grows');
      expect(await all()).toEqual(before);
    });

    it('shows where somebody changed it anyway', async () => {
      for (const subject of ['one', 'two', 'three']) await world().store.audit.append(anEntry({ subject }));
      const records = await all();
      const at = records.length - 2;
      const forged = records.map((record, index) => (index === at ? { ...record, subject: 'x' } : record));
      expect(firstBrokenRecord(forged, ORGANIZATION)).toEqual(forged[at]);
      expect(firstBrokenRecord(records.toSpliced(at, 1), ORGANIZATION)).toEqual(records[at + 1]);
    });
  });
}
