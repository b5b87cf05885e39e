/**
 * Texts that search reads, each at a place of its own, with what it needs to know which of them are worth reading.
 * A place whose text was taken away may be given again. IPv4 addresses are kept as numbers: no text is read for them.
 */
import { leadingBits, type Network, numberOf4 } from './addresses.ts';
import { type Bits, bitsOf, noBit, placesOf } from './bits.ts';
import { createGrams, type Grams } from './grams.ts';
import { createNumbers } from './numbers.ts';
import { NOWHERE, rankInAddress } from './octets.ts';
import type { Scratch } from './placing.ts';
import { ADDRESS, namesIn } from './searched.ts';

export type Haystack = {
  /** By their places; "" where there is none. */
  readonly texts: string[];
  /** Of each the names alone. */
  readonly names: () => string[];
  readonly scratch: Scratch;
  /** Of everything in the texts but IPv4 addresses. */
  readonly grams: Grams;
  /** Null: the word stands in no such address. */
  readonly inAddresses: (word: string) => InAddresses | null;
  readonly put: (place: number, text: string) => void;
  readonly remove: (place: number) => void;
  /** Places with an address in this network. */
  readonly within: (network: Network) => Bits;
};

/** Places with an IPv4 address that holds a word, and by place the best rank of it there, {@link NOWHERE} elsewhere. */
export type InAddresses = { readonly bits: Bits; readonly ranks: Uint8Array };

export function createHaystack(): Haystack {
  const texts: string[] = [];
  const scratch = createScratch(() => texts.length);
  const grams = createGrams();
  const addresses = { 4: createNumbers(), 6: createNumbers() };
  /** Null until somebody asks for them: where everybody sees everything, nobody does. */
  let names: string[] | null = null;

  const put = (place: number, text: string): void => {
    texts[place] = text;
    if (names !== null) names[place] = namesIn(text);
    eachPart(text, (from, to, number) => {
      if (number !== null) return addresses[4].add(place, number);
      grams.add(place, text, from, to);
      const leading = from === 0 ? null : leadingBits(text.slice(from, to));
      if (leading !== null) addresses[leading.family].add(place, leading.number);
    });
  };
  const remove = (place: number): void => {
    const text = texts[place] ?? '';
    if (text === '') return;
    eachPart(text, (from, to, number) => {
      if (number === null) grams.clear(place, text, from, to);
    });
    texts[place] = '';
    if (names !== null) names[place] = '';
    addresses[4].clear(place);
    addresses[6].clear(place);
  };
  return {
    texts,
    names: () => {
      names ??= texts.map((text) => (text === '' ? '' : namesIn(text)));
      return names;
    },
    scratch,
    grams,
    inAddresses(word) {
      const rankOf = rankInAddress(word);
      if (rankOf === null) return null;
      const bits = noBit(texts.length);
      const ranks = scratch.bytes('addresses').fill(NOWHERE);
      addresses[4].rank(rankOf, bits, ranks);
      return { bits, ranks };
    },
    remove,
    put(place, text) {
      if (texts[place] === text) return;
      remove(place);
      put(place, text);
    },
    within(network) {
      const { family, number } = network.leading;
      const near = noBit(texts.length);
      addresses[family].beginning(number, Math.min(network.bits, 32), near);
      if (network.bits <= 32) return near;
      const holding = placesOf(near).filter((place) => addressesIn(texts[place] ?? '').some(network.holds));
      return bitsOf(holding, texts.length);
    },
  };
}

function createScratch(count: () => number): Scratch {
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
 * What is before the addresses, and each of them, with the number of one of IPv4. Without a list of them: this is met
 * for every device at the start.
 */
function eachPart(text: string, visit: (from: number, to: number, number: number | null) => void): void {
  for (let from = 0; from <= text.length; ) {
    const next = text.indexOf(ADDRESS, from);
    const to = next === -1 ? text.length : next;
    visit(from, to, from === 0 ? null : numberOf4(text, from, to));
    from = to + 1;
  }
}

function addressesIn(text: string): readonly string[] {
  return text.split(ADDRESS).slice(1);
}
