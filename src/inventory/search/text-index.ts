/**
 * The texts that search reads, each in its slot, with indexes that tell which of them are worth reading. Slots of
 * removed texts are reused. IPv4 addresses are stored as numbers, so that no text is read for them.
 */

import { createAddressRanker, NO_MATCH } from './address-rank.ts';
import { createAddressTable } from './address-table.ts';
import { type Bitmap, bitmapOf, emptyBitmap, slotsIn } from './bitmap.ts';
import { leadingBitsOf, type Network, parseIpv4 } from './ip-networks.ts';
import { createNgramIndex, type NgramIndex } from './ngram-index.ts';
import type { SearchBuffers } from './ranking.ts';
import { ADDRESS_MARK, withNamesOnly } from './search-text.ts';

export type TextIndex = {
  /** By slot; "" where there is none. */
  readonly texts: string[];
  /** The same texts with only the names. */
  readonly names: () => string[];
  readonly buffers: SearchBuffers;
  /** Covers everything in the texts except IPv4 addresses. */
  readonly ngrams: NgramIndex;
  /** Null: no IPv4 address contains the word. */
  readonly matchAddresses: (word: string) => AddressMatches | null;
  readonly set: (slot: number, text: string) => void;
  readonly remove: (slot: number) => void;
  /** Slots with an address in this network. */
  readonly inNetwork: (network: Network) => Bitmap;
};

/** Slots with an IPv4 address that contains a word, and the best rank per slot; {@link NO_MATCH} elsewhere. */
export type AddressMatches = { readonly bitmap: Bitmap; readonly ranks: Uint8Array };

/** An empty index. */
export function createTextIndex(): TextIndex {
  const texts: string[] = [];
  const buffers = createBuffers(() => texts.length);
  const ngrams = createNgramIndex();
  const addresses = { 4: createAddressTable(), 6: createAddressTable() };
  /** Null until needed: where everybody may see everything, it never is. */
  let names: string[] | null = null;

  const set = (slot: number, text: string): void => {
    texts[slot] = text;
    if (names !== null) names[slot] = withNamesOnly(text);
    visitParts(text, (from, to, number) => {
      if (number !== null) return addresses[4].add(slot, number);
      ngrams.add(slot, text, from, to);
      const leading = from === 0 ? null : leadingBitsOf(text.slice(from, to));
      if (leading !== null) addresses[leading.family].add(slot, leading.number);
    });
  };
  const remove = (slot: number): void => {
    const text = texts[slot] ?? '';
    if (text === '') return;
    visitParts(text, (from, to, number) => {
      if (number === null) ngrams.clear(slot, text, from, to);
    });
    texts[slot] = '';
    if (names !== null) names[slot] = '';
    addresses[4].clear(slot);
    addresses[6].clear(slot);
  };
  return {
    texts,
    names: () => {
      names ??= texts.map((text) => (text === '' ? '' : withNamesOnly(text)));
      return names;
    },
    buffers,
    ngrams,
    matchAddresses(word) {
      const rankOf = createAddressRanker(word);
      if (rankOf === null) return null;
      const bitmap = emptyBitmap(texts.length);
      const ranks = buffers.bytes('addresses').fill(NO_MATCH);
      addresses[4].rankAddresses(rankOf, bitmap, ranks);
      return { bitmap, ranks };
    },
    remove,
    set(slot, text) {
      if (texts[slot] === text) return;
      remove(slot);
      set(slot, text);
    },
    inNetwork(network) {
      const { family, number } = network.leading;
      const near = emptyBitmap(texts.length);
      addresses[family].markPrefix(number, Math.min(network.bits, 32), near);
      if (network.bits <= 32) return near;
      const matching = slotsIn(near).filter((slot) => addressesIn(texts[slot] ?? '').some(network.contains));
      return bitmapOf(matching, texts.length);
    },
  };
}

function createBuffers(count: () => number): SearchBuffers {
  const lists = new Map<string, Uint8Array>();
  return {
    bytes(use) {
      const before = lists.get(use);
      if (before?.length === count()) return before.fill(0);
      const made = new Uint8Array(count());
      lists.set(use, made);
      return made;
    },
  };
}

/**
 * Visits the part before the addresses, and each address, with its number if it is IPv4. Makes no list of them,
 * because it runs for every device at the start.
 */
function visitParts(text: string, visit: (from: number, to: number, number: number | null) => void): void {
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf(ADDRESS_MARK, from);
    const to = next === -1 ? text.length : next;
    visit(from, to, from === 0 ? null : parseIpv4(text, from, to));
    from = to + 1;
  }
}

function addressesIn(text: string): readonly string[] {
  return text.split(ADDRESS_MARK).slice(1);
}
