/** uFuzzy alone over the same texts, used as its readme says; and the file alone. */
import { DatabaseSync } from 'node:sqlite';
import UFuzzy from '@leeoniya/ufuzzy';
import type { IndexedDevice } from '../../../src/inventory/inventory.ts';

/** The options of the index. */
const OPTIONS = { intraMode: 1 } as const;
/** uFuzzy's own default: more hits than this are not put in order. */
const MAX_SORTED = 1_000;
const MENU = 100;

/** Ids of the best matches, best first; without words, the first ids. Words in any order. */
export function bareSearch(devices: readonly IndexedDevice[]): (text: string) => readonly number[] {
  const fuzzy = new UFuzzy(OPTIONS);
  const ids = devices.map(({ id }) => id);
  // Copied in the order in which uFuzzy reads them: that alone makes it several times as fast.
  const texts = devices.map(({ searchText }) => Buffer.from(searchText, 'utf8').toString('utf8'));
  return (text) => {
    const [places, info, order] = fuzzy.search(texts, text, 1, MAX_SORTED);
    if (places === null) return ids.slice(0, MENU);
    const best = order === null ? places : order.map((at) => info.idx[at] ?? 0);
    return best.slice(0, MENU).flatMap((place) => ids[place] ?? []);
  };
}

/** Reads the saved rows with only SQLite and `JSON.parse`; returns their number. */
export function readBare(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows: unknown[] = [];
  for (const { body } of database.prepare('select body from inventory_devices').all()) {
    rows.push(JSON.parse(String(body)));
  }
  database.close();
  return rows.length;
}
