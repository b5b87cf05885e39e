/** A search that reads every device and needs no index: what an exact match is, and in which order. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { displayName } from '../../../src/fleet/model/resources.ts';
import type { IndexedDevice } from '../../../src/inventory/inventory.ts';
import { canonicalAddress } from '../../../src/inventory/search/search-text.ts';
import { fold } from '../../../src/lib/text.ts';

/** The devices that have every word, the best first; equally good ones by name, then by number. */
export function searchNaively(rows: readonly IndexedDevice[], words: readonly string[]): readonly number[] {
  const wanted = [...new Set(words.map(fold))].filter((word) => word !== '');
  const scored = rows.flatMap((row) => {
    const ranks = wanted.map((word) => rankOf(row, word));
    return ranks.includes(null)
      ? []
      : [{ row, score: ranks.reduce<number>((sum, rank) => sum + (rank ?? 0), 0) }];
  });
  return scored
    .toSorted((a, b) => a.score - b.score || compareByName(a.row, b.row))
    .map(({ row }) => Number(row.id));
}

/** Null: the device does not have the word. An id or a network says nothing about how well it matches. */
function rankOf(row: IndexedDevice, word: string): number | null {
  const [names = '', ...addresses] = row.searchText.split('\r');
  if (/^#\d{1,15}$/.test(word)) return `#${row.id}` === `#${Number(word.slice(1))}` ? 0 : null;
  const network = networkOf(word);
  if (network !== null) return addresses.some(network) ? 0 : null;
  const ranks = [...names.split('\n'), ...addresses].flatMap((field) =>
    rankInField(field, canonicalAddress(word)),
  );
  return ranks.length === 0 ? null : Math.min(...ranks);
}

function rankInField(field: string, word: string): readonly number[] {
  if (!field.includes(word)) return [];
  if (field === word) return [0];
  if (field.startsWith(word)) return [1];
  const starts = Array.from({ length: field.length }, (_, at) => at).filter((at) =>
    field.startsWith(word, at),
  );
  const isWordStart = starts.some((at) => !/[a-z0-9\u0080-\uffff]/.test(field.charAt(at - 1)));
  return [isWordStart ? 2 : 3];
}

function networkOf(word: string): ((address: string) => boolean) | null {
  const [base = '', length = '', ...more] = word.split('/');
  if (more.length > 0 || !/^\d{1,3}$/.test(length)) return null;
  const family = isIPv4(base) ? 'ipv4' : 'ipv6';
  const isFamily = family === 'ipv4' ? isIPv4 : isIPv6;
  const bits = Number(length);
  if (!isFamily(base) || bits > (family === 'ipv4' ? 32 : 128)) return null;
  const list = new BlockList();
  list.addSubnet(base, bits, family);
  return (address) => isFamily(address) && (bits === 0 || list.check(address, family));
}

function compareByName(a: IndexedDevice, b: IndexedDevice): number {
  const [one, other] = [sortKey(a), sortKey(b)];
  if (one === other) return a.id - b.id;
  return one < other ? -1 : 1;
}

/** Numbers by their value. */
function sortKey(row: IndexedDevice): string {
  return fold(displayName(row)).replace(/\d+/g, (digits) => digits.padStart(12, '0'));
}
